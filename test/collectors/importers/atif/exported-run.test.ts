import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportAtif, toAtif } from '../../../../collectors/exporters/atif.js';
import { recordedRuns } from '../../../../collectors/importers/recorded-runs.js';
import type { Sample, SampleTurn } from '../../../../collectors/sample.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { collect } from '../../support/collect.js';
import { inputErrorOf } from '../../support/input-error.js';
import { sampleOf, streamed } from '../../support/samples.js';
import { unsafeSample } from '../../support/unsafe-sample.js';

const TURNS: readonly SampleTurn[] = [
  { agent: 'user', kind: 'user', content: 'Add 2 and 2.', at: Date.UTC(2026, 0, 2) },
  { agent: 'clock', kind: 'tool', content: 'noon' },
  {
    agent: 'solver',
    kind: 'agent',
    thought: 'By tool.',
    content: '',
    toolCalls: [{ id: 'c1', name: 'add', args: { a: 2, b: 2 } }],
  },
  { agent: 'solver', kind: 'tool', content: '4', toolCallId: 'c1', toolName: 'add' },
  { agent: 'solver', kind: 'tool', content: 'nobody asked for it' },
  { agent: 'solver', kind: 'handoff', content: '', handoffTo: 'checker' },
  { agent: 'silent', kind: 'agent', content: '' },
  { agent: 'checker', kind: 'agent', content: 'It is 4.', action: 'say( 4 )' },
];

async function readBack(...samples: readonly Sample[]) {
  const file = path.join(temporaryFolder(), 'atif.jsonl');
  await exportAtif(streamed(samples), file);
  return { file, runs: await collect(recordedRuns(file, {})) };
}

describe('a run that we exported', () => {
  test('is read back turn by turn, with its label, its answer, and its place in the split', async () => {
    const tools = [{ name: 'add', description: 'Adds.' }];
    const label = {
      kind: 'unsafe',
      step: 6,
      agent: 'silent',
      reason: 'says nothing',
      source: 'natural',
    } as const;
    const sample = sampleOf('a', {
      turns: TURNS,
      tools,
      label,
      domain: 'math',
      split: 'test',
      group: 'g',
      reference: '4',
    });
    const { file, runs } = await readBack(sample, unsafeSample('b'));
    const { task } = sample;
    expect(runs[0]).toMatchObject({
      ...{
        runId: 'a',
        source: `${file}:1`,
        task,
        tools,
        label,
        domain: 'math',
        split: 'test',
        group: 'g',
        reference: '4',
      },
    });
    expect(runs[0]?.turns).toEqual(TURNS);
    expect(runs[1]?.turns).toEqual(unsafeSample('b').turns);
    expect(runs[1]?.label).toEqual(unsafeSample('b').label);
  });

  test.each([
    ['a step is missing', (steps: unknown[]) => steps.slice(1)],
    ['a turn stands twice', (steps: unknown[]) => [...steps, steps[0]]],
    ['its steps are in another order', (steps: unknown[]) => steps.toReversed()],
  ])('has no label when %s: it would count other turns', async (_, change) => {
    const { steps, ...trajectory } = toAtif(unsafeSample('a'));
    const file = path.join(temporaryFolder(), 'a.json');
    writeFileSync(file, JSON.stringify({ ...trajectory, steps: change([...steps]) }));
    const [run] = await collect(recordedRuns(file, {}));
    expect(run?.label).toBeUndefined();
    expect(run?.turns.length).toBeGreaterThan(1);
  });

  test('has no label whose step it does not have', async () => {
    const { runs } = await readBack(unsafeSample('a', 5));
    expect(runs[0]?.label).toBeUndefined();
  });

  test('is refused when a turn is too long', async () => {
    const { file } = await readBack(unsafeSample('a'));
    const error = await inputErrorOf(collect(recordedRuns(file, { maxTurnBytes: 20 })));
    expect(error.message).toContain(`${file} (turns[0].content): the turn has`);
  });
});
