import { createStep } from '@mastra/core/workflows';
import { expect, test, vi } from 'vitest';
import { agentThat } from '../../support/mastra-agents.js';
import { lines } from '../../support/mastra-audits.js';
import { asStep, flow, hooked, resumed, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const { ran, step } = stepsThatNote();
const bad = step('bad', 'wrong');
const item = ({ inputData }: { inputData: number }) => (inputData === 2 ? 'wrong' : `item ${inputData}`);
const items = async () => [1, 2, 3];
const inner = flow('inner').then(step('first')).then(bad).then(step('third')).commit();

test.each([
  ['a line', flow().then(bad), ['bad'], 'wrong'],
  [
    'lanes',
    flow().parallel([bad, step('other', 'o', {}, 10)]),
    ['bad', 'other'],
    { bad: 'wrong', other: 'o' },
  ],
  [
    'branches',
    flow().branch([
      [async () => true, step('other', 'o', {}, 10)],
      [async () => true, bad],
    ]),
    ['bad', 'other'],
    { bad: 'wrong', other: 'o' },
  ],
  ['a nested workflow', flow().then(asStep(inner)), ['first', 'bad', 'third'], 'third is done'],
  [
    'a foreach',
    flow().map(items).foreach(step('item', item)),
    ['item', 'item', 'item'],
    ['item 1', 'wrong', 'item 3'],
  ],
  [
    'a foreach of several at once',
    flow()
      .map(items)
      .foreach(step('item', item, {}, 5), { concurrency: 2 }),
    ['item', 'item', 'item'],
    ['item 1', 'wrong', 'item 3'],
  ],
])(
  'a workflow that was halted in %s is taken up there: every step runs once',
  async (_in, start, each, output) => {
    ran.length = 0;
    const inputs: unknown[] = [];
    const end = step('end', ({ inputData }: { inputData: unknown }) => inputs.push(inputData));
    const audit = hooked(start.then(end).commit());
    expect((await started(audit.twin)).status).toBe('tripwire');
    expect((await resumed(audit.twin)).status).toBe('success');
    expect([ran, inputs]).toEqual([[...each, 'end'], [output]]);
    const told = lines(audit).slice(1);
    expect(new Set(told).size).toBe(new Set(audit.turns().map(({ id }) => id)).size - 1);
  },
);

test('what is halted at the very end is taken up with the result that it had', async () => {
  ran.length = 0;
  const audit = hooked(flow().then(step('plan')).then(bad).commit(), { schedule: { due: () => false } });
  expect((await started(audit.twin)).status).toBe('tripwire');
  expect(await resumed(audit.twin)).toMatchObject({ status: 'success', result: 'wrong' });
  expect(ran).toEqual(['plan', 'bad']);
});

test('a step whose agent was halted is done again: what its code made of no answer is not kept', async () => {
  const scout = agentThat('scout', [{ text: 'wrong' }, { text: 'found' }]);
  const code = async () => (await scout.generate('Find it')).text;
  const audit = hooked(flow().then(step('boss', code)).then(step('end')).commit());
  expect((await started(audit.twin)).status).toBe('tripwire');
  const result = await resumed(audit.twin);
  expect(result.steps['boss']).toMatchObject({ output: 'found' });
});

test('an agent that is a step and has answered is not asked again', async () => {
  const writer = agentThat('writer', [{ text: 'wrong' }]);
  const ask = async () => ({ prompt: 'Write' });
  const audit = hooked(flow().map(ask).then(createStep(writer)).then(step('end')).commit());
  expect((await started(audit.twin)).status).toBe('tripwire');
  expect((await resumed(audit.twin)).status).toBe('success');
  expect(writer.prompts).toHaveLength(1);
});

test('to travel back by hand is a new run, which sees what was done before', async () => {
  ran.length = 0;
  const audit = hooked(flow().then(step('plan')).then(step('solve')).commit());
  await started(audit.twin);
  const run = await audit.twin.createRun({ runId: 'one' });
  expect((await run.timeTravel({ step: 'solve' })).status).toBe('success');
  expect(ran).toEqual(['plan', 'solve', 'solve']);
  const again = lines(audit).slice(3);
  expect(again).toEqual(['*user user: go', '*plan state: "plan is done"', 'solve state: "solve is done"']);
});
