import { expect, test } from 'vitest';
import type { Turn, TurnInput } from '../../../core/index.js';
import { approvingAuditor } from '../../../core/testing/index.js';
import { mastraReplayer } from '../../../plugins/mastra/index.js';
import { flow, hooked, started, stepsThatNote } from '../../support/mastra-workflows.js';

const signal = new AbortController().signal;

/** Adds one to the number that it is given, but refuses any above 100. */
const addsOne = ({ inputData }: { inputData: unknown }) => {
  const { sum } = inputData as { sum: number };
  if (sum > 100) throw new Error(`${sum} is too much`);
  return { sum: sum + 1 };
};

async function recorded(build = counting) {
  const { workflow, ran } = build();
  const audit = hooked(workflow, { auditor: approvingAuditor() });
  const result = await started(audit.twin, { sum: 1 });
  const turns = audit.of('turn').map(({ turn }) => turn);
  return { workflow, ran, turns, result, run: audit.of('run')[0], mastra: audit.mastra };
}

function counting() {
  const { ran, step } = stepsThatNote();
  const workflow = flow().then(step('plan', addsOne)).then(step('solve', addsOne)).then(step('end', addsOne));
  return { workflow: workflow.commit(), ran };
}

const request = (
  turns: readonly Turn[],
  step: number,
  content: string,
  thread: string | undefined = 'one',
) => ({
  runId: 'run',
  thread,
  task: 'count',
  turns,
  step,
  turn: { ...(turns[step] as TurnInput), content },
});

test('a recorded run goes on from another output, through its real steps; what Mastra has saved of it stays', async () => {
  const { workflow, ran, turns, run, result } = await recorded();
  expect(result).toMatchObject({ status: 'success', result: { sum: 4 } });
  expect(run?.thread).toBe('one');
  ran.length = 0;
  const before = await workflow.getWorkflowRunById('one');
  const replay = await mastraReplayer(workflow).replay(request(turns, 1, '{"sum":20}'), signal);
  expect(replay).toMatchObject({
    turns: [
      { kind: 'user' },
      { agent: 'plan', content: '{"sum":20}' },
      { agent: 'solve', content: '{"sum":21}' },
      { agent: 'end', content: '{"sum":22}' },
    ],
  });
  expect(ran).toEqual(['solve', 'end']);
  expect(await workflow.getWorkflowRunById('one')).toEqual(before);
  expect((await workflow.listWorkflowRuns()).runs.map((run: { runId: string }) => run.runId)).toEqual([
    'one',
  ]);
});

test('a workflow that fails on the way has failed: what was said till then, and the error', async () => {
  const { workflow, turns } = await recorded();
  const replay = await mastraReplayer(workflow).replay(request(turns, 1, '{"sum":101}'), signal);
  expect(replay).toMatchObject({ error: '101 is too much' });
  expect('turns' in replay && replay.turns.slice(0, 2)).toMatchObject([{}, { content: '{"sum":101}' }]);
});

test.each([
  ['a run that Mastra has not saved', 1, '{"sum":5}', 'other', /not saved/],
  ['a turn that is no output', 0, '{"sum":5}', 'one', /no step/],
  ['what is no JSON', 1, 'five', 'one', /no JSON/],
  ['the last step', 3, '{"sum":5}', 'one', /in a row/],
])('%s is refused, and why', async (_what, step, content, thread, why) => {
  const { workflow, turns } = await recorded();
  expect(await mastraReplayer(workflow).replay(request(turns, step, content, thread), signal)).toMatchObject({
    refused: expect.stringMatching(why),
  });
});

test('a step before steps side by side is refused', async () => {
  const { workflow, turns } = await recorded(() => {
    const { ran, step } = stepsThatNote();
    const sides = flow()
      .then(step('plan', addsOne))
      .parallel([step('a', addsOne), step('b', addsOne)]);
    return { workflow: sides.commit(), ran };
  });
  expect(await mastraReplayer(workflow).replay(request(turns, 1, '{"sum":5}'), signal)).toMatchObject({
    refused: expect.stringContaining('in a row'),
  });
});
