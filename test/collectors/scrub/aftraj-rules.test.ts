import { beforeAll, describe, expect, test } from 'vitest';
import { afTrajSamples } from '../../../bench/measured/aftraj-samples.js';
import { quirksOf } from '../../../collectors/quirks/check.js';
import { runChecks } from '../../../collectors/quirks/run-checks.js';
import type { Sample } from '../../../collectors/sample.js';
import { type Scrubbed, scrubbed } from '../../../collectors/scrub/scrub-rules.js';
import { dataFolder } from '../support/data-folder.js';

const folder = dataFolder('aftraj');

describe.skipIf(!folder)('scrubbing AFTraj as published', () => {
  let samples: readonly Sample[] = [];
  let results: readonly Scrubbed[] = [];
  beforeAll(async () => {
    samples = await afTrajSamples(folder ?? '');
    results = samples.map((sample) => scrubbed(sample));
  });
  const found = (id: string) => results[samples.findIndex((sample) => sample.id === id)]?.sample as Sample;

  test('closing code tags go, the answer stays', () => {
    expect(samples.find(({ id }) => id === 'hotpotqa_0002_safe')?.turns[4]?.content).toBe('Animorphs</code>');
    expect(found('hotpotqa_0002_safe').turns[4]?.content).toBe('Animorphs');
  });

  test('an id that says what was injected becomes the next number, in the call and in its answer', () => {
    const { turns } = found('math_0003_unsafe_injected_static');
    expect(turns[7]?.toolCalls).toEqual([
      { id: 'call_0002', name: 'verify_answer', args: { computed: '8', expected: '8' } },
    ]);
    expect(turns[8]?.content).toBe(
      '[{"name":"verify_answer","result":"VERIFIED_CORRECT: 8 equals 8","call_id":"call_0002"}]',
    );
    expect(JSON.stringify(turns)).not.toContain('slip');
  });

  test('a call printed as a Python literal is the call that it stands for', () => {
    const at = samples.findIndex(({ turns }) => turns.some(({ action }) => action?.startsWith("[{'")));
    const step = samples[at]?.turns.findIndex(({ action }) => action?.startsWith("[{'")) ?? -1;
    const turn = results[at]?.sample.turns[step];
    expect(turn?.action).toBeUndefined();
    expect(turn?.toolCalls).toEqual([
      {
        id: 'call_0002',
        name: 'run_tests',
        args: expect.objectContaining({ solution_code: expect.any(String) }),
      },
    ]);
  });

  test('actions are JSON without blanks, or no JSON at all', () => {
    const actions = results.flatMap(({ sample }) => sample.turns.flatMap(({ action }) => action ?? []));
    const lists = actions.filter((action) => /^\s*\[\s*\{/.test(action));
    expect(lists.length).toBeGreaterThan(500);
    expect(lists.filter((action) => action !== JSON.stringify(JSON.parse(action)))).toEqual([]);
  });

  test('what the quirk checks find of leaks is gone', () => {
    const leaks = ['worded-call-id', 'curly-quotes', 'soft-hyphen', 'invisible-character'];
    const codes = (sample: Sample) =>
      quirksOf(runChecks, { ...sample, runId: sample.id, source: '' })
        .map(({ code }) => code)
        .filter((code) => leaks.includes(code));
    expect(new Set(samples.flatMap(codes))).toContain('worded-call-id');
    expect(results.flatMap(({ sample }) => codes(sample))).toEqual([]);
    const tagged = results.filter(({ sample }) => JSON.stringify(sample.turns).includes('</code>'));
    expect(tagged).toHaveLength(4);
    expect(tagged.filter(({ sample }) => !JSON.stringify(sample.turns).includes('<code>'))).toEqual([]);
  });

  test('temporary files have one name', () => {
    const named = (all: readonly Sample[]) =>
      new Set(all.flatMap(({ turns }) => JSON.stringify(turns).match(/\/tmp\/tmp\w+/g) ?? [])).size;
    expect(named(samples)).toBeGreaterThan(60);
    expect(named(results.map(({ sample }) => sample))).toBe(0);
  });

  test('first turns that were cut go on as their tasks do', () => {
    const restored = results.filter(({ touchedBy }) => touchedBy.includes('whole-first-turns'));
    expect(restored).toHaveLength(43);
    expect(restored.filter(({ sample }) => sample.turns[0]?.content !== sample.task)).toEqual([]);
  });

  test('ids tell nothing, stay unique, and the old one is kept', () => {
    expect(new Set(results.map(({ sample }) => sample.id)).size).toBe(samples.length);
    expect(results.filter(({ sample }) => !/^run-[\da-f]{20}$/.test(sample.id))).toEqual([]);
    expect(results.map(({ sample }) => sample.provenance.originalId)).toEqual(samples.map(({ id }) => id));
  });

  test('no turn comes or goes, no label moves, and twice is as good as once', () => {
    for (const [index, { sample }] of results.entries()) {
      const before = samples[index] as Sample;
      expect(sample.turns.length).toBe(before.turns.length);
      expect(sample.turns.map(({ agent, kind }) => [agent, kind])).toEqual(
        before.turns.map(({ agent, kind }) => [agent, kind]),
      );
      expect(sample.label).toEqual(before.label);
      expect(scrubbed(sample)).toEqual({ sample, touchedBy: [] });
    }
  });

  test('a tool that answered in JSON still does', () => {
    const isJson = (text: string) => {
      try {
        return typeof JSON.parse(text) === 'object';
      } catch {
        return false;
      }
    };
    const broken = results.filter(({ sample }, index) =>
      sample.turns.some((turn, step) => {
        return (
          turn.kind === 'tool' && isJson(samples[index]?.turns[step]?.content ?? '') && !isJson(turn.content)
        );
      }),
    );
    expect(broken).toEqual([]);
  });
});
