import { describe, expect, test } from 'vitest';
import { type PrefixOptions, prefixRecords } from '../../../collectors/prefixes/prefix-records.js';
import { runPrefixes } from '../../../collectors/prefixes/run-prefixes.js';
import type { Sample } from '../../../collectors/sample.js';
import { appendOnlyLayout, publishedLayout } from '../../../core/index.js';
import { collect } from '../support/collect.js';
import { sampleOf, streamed } from '../support/samples.js';
import { unsafeSample } from '../support/unsafe-sample.js';

const SAFE = sampleOf('healthy', { label: { kind: 'safe' } });

const recordsOf = (samples: readonly Sample[], options?: PrefixOptions) =>
  collect(prefixRecords(streamed(samples), options));

const steps = async (sample: Sample, which?: PrefixOptions['which']) =>
  (await recordsOf([sample], { which })).map(({ step }) => step);

describe('prefixRecords', () => {
  test('safe before the decisive error, an alarm at it and after it', async () => {
    const records = await recordsOf([unsafeSample('a')]);
    const alarm = { step: 2, agent: 'adder' };
    expect(records.map(({ step, expected }) => [step, expected])).toEqual([
      [0, 'SAFE'],
      [1, 'SAFE'],
      [2, alarm],
      [3, alarm],
      [4, alarm],
    ]);
  });

  test('a safe run is safe throughout; one without a label teaches nothing', async () => {
    const records = await recordsOf([SAFE, sampleOf('unlabelled')]);
    expect(records.map(({ sample, expected }) => [sample.id, expected])).toEqual([
      ['healthy', 'SAFE'],
      ['healthy', 'SAFE'],
    ]);
  });

  test.each([
    ['boundary', 2, [1, 2]],
    ['boundary', 0, [0]],
    [{ every: 2 }, 2, [1, 2, 3, 4]],
    [{ every: 4 }, 1, [0, 1, 3, 4]],
    [{ every: 100 }, 0, [0, 4]],
  ] as const)('%o of a run that goes wrong at %i', async (which, at, expected) => {
    expect(await steps(unsafeSample('a', at), which)).toEqual(expected);
  });

  test('a safe run has no boundary', async () => {
    expect(await steps(SAFE, 'boundary')).toEqual([]);
    expect(await steps(SAFE, { every: 100 })).toEqual([1]);
  });

  test('a prompt shows the turns up to its own, in the layout asked for', async () => {
    const sample = unsafeSample('a');
    for (const layout of [appendOnlyLayout(), publishedLayout()]) {
      const [, , at] = await recordsOf([sample], { layout });
      const [system, user] = at?.prompt ?? [];
      expect(system?.role).toBe('system');
      expect(user?.content).toContain('2 + 2 = 5.');
      expect(user?.content).not.toContain('Fine.');
    }
    const [, before, at] = await recordsOf([sample]);
    const shown = (text = '') => text.replace(/Your verdict\?$/, '');
    expect(at?.prompt[1]?.content.startsWith(shown(before?.prompt[1]?.content))).toBe(true);
    const [published] = await recordsOf([sample], { layout: publishedLayout() });
    expect(published?.prompt[1]?.content).toContain('Observed up to step 0');
  });

  test('no prompt holds the label, the reference, an id, or an action as it was written', async () => {
    const sample = { ...unsafeSample('a'), id: 'a_unsafe_injected' };
    for (const layout of [appendOnlyLayout(), publishedLayout()]) {
      const prompts = (await recordsOf([sample], { layout })).map(({ prompt }) => prompt);
      expect(JSON.stringify(prompts)).not.toMatch(/THE REASON|THE ANSWER|call_slip|note\(|_injected/);
    }
  });

  test('turns are what core knows of them, each at its own place', () => {
    const prefixes = [...runPrefixes(unsafeSample('a'))];
    expect(prefixes.map(({ newest }) => newest.index)).toEqual([0, 1, 2, 3, 4]);
    expect(prefixes[2]?.newest).not.toHaveProperty('action');
  });

  test('one prefix is made at a time', async () => {
    let read = 0;
    async function* endless() {
      for (;;) yield unsafeSample(`${read++}`);
    }
    for await (const { sample } of prefixRecords(endless())) if (sample.id === '3') break;
    expect(read).toBe(4);
  });

  test.each([0, 1.5, Number.NaN])('refuses every %d', (every) => {
    expect(() => prefixRecords(streamed([]), { which: { every } })).toThrow('[agentforesight] [prefixes]');
  });
});
