import { createTool } from '@mastra/core/tools';
import { createStep } from '@mastra/core/workflows';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { agentThat } from '../../support/mastra-agents.js';
import { lines, outcomes } from '../../support/mastra-audits.js';
import { asStep, flow, hooked, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const prompt = async () => ({ prompt: 'Say it' });

test('a step of plain code is a turn that says its output; the bare workflow tells nobody', async () => {
  const { ran, step } = stepsThatNote();
  const audit = hooked(
    flow()
      .then(step('plan', { parts: 2 }))
      .then(step('solve', 40))
      .commit(),
  );
  const result = await started(audit.twin, 'What is 17 + 23?');
  expect(result).toMatchObject({ status: 'success', result: 40 });
  expect(lines(audit)).toEqual([
    '*user user: What is 17 + 23?',
    'plan state: {"parts":2}',
    'solve state: 40',
  ]);
  expect(outcomes(audit)).toEqual(['completed']);

  const told = audit.recorder.records.length;
  await (await audit.workflow.createRun()).start({ inputData: 'again' });
  expect(audit.recorder.records).toHaveLength(told);
  expect(ran).toEqual(['plan', 'solve', 'plan', 'solve']);
});

test.each([
  [0, 30],
  [30, 0],
])(
  'lanes and the steps of a nested workflow stand in the graph’s order: %d ms, %d ms',
  async (first, second) => {
    const { step } = stepsThatNote();
    const inner = flow('inner')
      .then(step('dig', 'd', {}, second))
      .then(step('sift', 's'))
      .commit();
    const audit = hooked(
      flow()
        .parallel([step('scout', 'c', {}, first), asStep(inner)])
        .then(step('write', 'w'))
        .commit(),
    );
    const seen: string[][] = [];
    const whole = hooked(audit.workflow, {
      auditor: {
        audit: async ({ prefix }) => {
          seen.push(Array.from({ length: prefix.length }, (_, at) => prefix.at(at)?.agent ?? ''));
          return { kind: 'continue' };
        },
      },
    });
    await started(whole.twin);
    expect(seen.at(-1)).toEqual(['user', 'scout', 'dig', 'sift', 'write']);
    expect(seen).toContainEqual(['user', 'scout']);
    expect(seen).toContainEqual(['user', 'dig', 'sift']);
  },
);

test('each round of a loop, each item of a foreach and each branch that is taken is a turn', async () => {
  const { step } = stepsThatNote();
  let rounds = 0;
  const workflow = flow()
    .dountil(
      step('try', () => ++rounds),
      async ({ inputData }) => inputData === 2,
    )
    .map(async () => ['a', 'b', 'c'])
    .foreach(step('read', ({ inputData }: { inputData: string }) => inputData.toUpperCase()))
    .branch([
      [async () => true, step('left', 'l')],
      [async () => false, step('never', 'n')],
      [async () => true, step('right', 'r')],
    ])
    .sleep(1)
    .then(step('end', 'e'))
    .commit();
  const audit = hooked(workflow);
  await started(audit.twin);
  expect(lines(audit).slice(1)).toEqual(
    [
      'try state: 1',
      'try state: 2',
      'read state: "A"',
      'read state: "B"',
      'read state: "C"',
      'left state: "l"',
    ].concat(['right state: "r"', 'end state: "e"']),
  );
});

test('items at work at once are lanes in the items’ order, whichever was quicker', async () => {
  const { step } = stepsThatNote();
  const slowFirst = async ({ inputData }: { inputData: number }) => {
    await new Promise((resolve) => setTimeout(resolve, (4 - inputData) * 8));
    return inputData;
  };
  const workflow = flow()
    .map(async () => [1, 2, 3])
    .foreach(step('read', slowFirst), { concurrency: 3 })
    .commit();
  const audit = hooked(workflow);
  await started(audit.twin);
  expect(
    audit
      .turns()
      .slice(1)
      .map(({ content }) => content),
  ).toEqual(['3', '2', '1']); // as they were told
  const lanes = audit
    .turns()
    .slice(1)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(lanes.map(({ content, index }) => [content, index])).toEqual([
    ['1', 1],
    ['2', 1],
    ['3', 1],
  ]);
});

test('an agent that is a step tells its own words, once; a tool that is one is told as a step', async () => {
  const { step } = stepsThatNote();
  const tool = createTool({
    id: 'look-up',
    description: 'Looks it up',
    inputSchema: z.any(),
    outputSchema: z.any(),
    execute: async () => ({ found: 40 }),
  });
  const writer = agentThat('writer', [{ text: 'It is 40' }]);
  const workflow = flow()
    .then(createStep(tool))
    .map(prompt)
    .then(createStep(writer))
    .then(step('end', 'e'))
    .commit();
  const audit = hooked(workflow);
  expect((await started(audit.twin)).steps['writer']).toMatchObject({ output: { text: 'It is 40' } });
  expect(lines(audit).slice(1)).toEqual([
    'look-up state: {"found":40}',
    'writer agent: It is 40',
    'end state: "e"',
  ]);
});

test('what a step’s code calls belongs to the run: agents, and other workflows', async () => {
  const { step } = stepsThatNote();
  const scout = agentThat('scout', [{ text: 'found' }]);
  const other = flow('other').then(step('dig', 'd')).commit();
  const code = async () => {
    const { text } = await scout.generate('Find it');
    await (await other.createRun()).start({ inputData: '' });
    return text;
  };
  const audit = hooked(flow().then(step('boss', code)).commit());
  await started(audit.twin);
  expect(lines(audit).slice(1)).toEqual(['scout agent: found', 'dig state: "d"', 'boss state: "found"']);
  expect(outcomes(audit)).toEqual(['completed']);
});

test('a failure, a bail, a cancelled run and a tripwire of the host’s own are what they are', async () => {
  const { step } = stepsThatNote();
  const boom = new TypeError('boom');
  const fails = hooked(
    flow()
      .then(step('fail', () => Promise.reject(boom)))
      .commit(),
  );
  const failed = await started(fails.twin);
  expect(failed.steps['fail']).toMatchObject({ error: boom });
  expect(fails.of('close')[0]?.outcome).toEqual({ status: 'failed', error: 'boom' });

  const bails = hooked(
    flow()
      .then(step('bail', ({ bail }: { bail: (result: unknown) => unknown }) => bail('enough')))
      .then(step('never'))
      .commit(),
  );
  expect(await started(bails.twin)).toMatchObject({ status: 'success', result: 'enough' });
  expect([lines(bails)[1], outcomes(bails)]).toEqual(['bail state: "enough"', ['completed']]);

  const waits = hooked(
    flow()
      .then(step('wait', 'w', {}, 20))
      .then(step('never'))
      .commit(),
  );
  const run = await waits.twin.createRun();
  const running = run.start({ inputData: '' });
  await run.cancel();
  expect((await running).status).toBe('canceled');
  await vi.waitFor(() => expect(outcomes(waits)).toEqual(['aborted']));
});
