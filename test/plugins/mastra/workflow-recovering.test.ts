import { createStep } from '@mastra/core/workflows';
import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call, toolThat } from '../../support/mastra-agents.js';
import { lines, outcomes } from '../../support/mastra-audits.js';
import { asStep, flow, hooked, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const RECOVER = { onAlarm: 'recover' } as const;
const HINT =
  'An auditor reviewed this step and found it wrong: it is wrong\nDo it again, and avoid that mistake.';

const writing = async () => ({ prompt: 'Write' });

/** Wrong at first, and right when it is told why; what it was told stands in its output. */
const learns = ({ requestContext }: { requestContext: { get(key: string): unknown } }) =>
  requestContext.get('auditor.hint') ? 'right' : 'wrong';

test('the blamed step is done again, told why; each try is a run of the log', async () => {
  const { ran, step } = stepsThatNote();
  const steps = flow().then(step('plan')).then(step('solve', learns)).then(step('end', learns)).commit();
  const audit = hooked(steps, { ...RECOVER, auditor: strict() });
  const result = await started(audit.twin);
  expect(ran.slice(0, 3)).toEqual(['plan', 'solve', 'solve']);
  expect(result.steps['solve']).toMatchObject({ output: 'right' });
  expect(lines(audit).slice(0, 5)).toEqual([
    '*user user: go',
    'plan state: "plan is done"',
    'solve state: "wrong"',
    `*user user: ${HINT}`,
    'solve state: "right"',
  ]);
  const [first, second] = audit.of('run');
  expect(second).toMatchObject({ continues: first?.runId, recoveries: 1 });
  expect(outcomes(audit).at(-1)).toBe('completed');
});

test('an agent that is a step reads it in its prompt', async () => {
  const writer = agentThat('writer', [{ text: 'wrong' }, { text: 'right' }]);
  const audit = hooked(flow().map(writing).then(createStep(writer)).commit(), RECOVER);
  expect(await started(audit.twin)).toMatchObject({ status: 'success', result: { text: 'right' } });
  expect(JSON.stringify(writer.prompts[1])).toContain(JSON.stringify(`Write\n\n${HINT}`).slice(1, -1));
});

test('what was stopped beside it goes on, and what is done stays done', async () => {
  const { ran, step } = stepsThatNote();
  const inner = flow('inner')
    .then(step('dig', 'd', {}, 20))
    .then(step('sift'))
    .commit();
  const workflow = flow().parallel([step('bad', learns), asStep(inner), step('quick')]);
  const audit = hooked(workflow.then(step('end')).commit(), RECOVER);
  expect((await started(audit.twin)).status).toBe('success');
  expect(ran.toSorted()).toEqual(['bad', 'bad', 'dig', 'end', 'quick', 'sift']);
});

test('an alarm that comes late goes back all the way; a nested workflow is done again as a whole', async () => {
  const { ran, step } = stepsThatNote();
  const inner = flow('inner').then(step('dig', learns)).then(step('sift')).commit();
  const audit = hooked(flow().then(asStep(inner)).then(step('end')).commit(), {
    ...RECOVER,
    auditor: {
      audit: async ({ prefix }) => {
        const isLate = prefix.newest.agent === 'end' && prefix.at(1)?.content === '"wrong"';
        return isLate
          ? { kind: 'alarm', step: 1, agent: 'dig', reason: 'it is wrong' }
          : { kind: 'continue' };
      },
    },
  });
  expect((await started(audit.twin)).status).toBe('success');
  expect(ran).toEqual(['dig', 'sift', 'end', 'dig', 'sift', 'end']);
  expect(audit.of('run')[1]?.undone).toHaveLength(3);
});

test('an agent that is a step is done again for an earlier turn of it, too, and no diagnostic says otherwise', async () => {
  const tools = { add: toolThat('add', () => '40') };
  const script = [
    { text: 'wrong', calls: [call('add', {}, 'one')] },
    { text: 'more', calls: [call('add', {}, 'two')] },
    { text: 'right' },
  ];
  const audit = hooked(
    flow()
      .map(writing)
      .then(createStep(agentThat('solver', script, { tools })))
      .commit(),
    {
      ...RECOVER,
      auditor: {
        audit: async ({ prefix }) => {
          const isLate = prefix.newest.content === 'more' && prefix.at(1)?.content === 'wrong';
          return isLate
            ? { kind: 'alarm', step: 1, agent: 'solver', reason: 'it is wrong' }
            : { kind: 'continue' };
        },
      },
    },
  );
  expect(await started(audit.twin)).toMatchObject({ status: 'success', result: { text: 'right' } });
  expect(lines(audit)).toEqual([
    '*user user: go',
    'solver agent: wrong',
    'solver tool: 40',
    'solver agent: more',
    `*user user: ${HINT}`,
    'solver agent: right',
  ]);
  expect([outcomes(audit), audit.faults]).toEqual([['halted', 'completed'], []]);
});

test.each(['recover', 'pause'] as const)(
  'the last tool of an agent in a step is blamed, under %s: the workflow does it, and no diagnostic says otherwise',
  async (onAlarm) => {
    const answers = ['wrong', 'right'];
    const tools = { add: toolThat('add', () => answers.shift()) };
    const agent = agentThat('solver', [{ calls: [call('add')] }], { tools });
    const { step } = stepsThatNote();
    const ask = async () => (await agent.generate('?', { maxSteps: 1 })).finishReason;
    const audit = hooked(flow().then(step('ask', ask)).commit(), { onAlarm });
    expect((await started(audit.twin)).status).toBe(onAlarm === 'pause' ? 'suspended' : 'success');
    expect(audit.faults).toEqual([]);
  },
);

test('after maxRecoveries it is halted', async () => {
  const { ran, step } = stepsThatNote();
  const audit = hooked(flow().then(step('plan', 'wrong')).commit(), { ...RECOVER, maxRecoveries: 2 });
  expect((await started(audit.twin)).status).toBe('tripwire');
  expect([ran, outcomes(audit)]).toEqual([
    ['plan', 'plan', 'plan'],
    ['halted', 'halted', 'halted'],
  ]);
});

test('without a storage there is no going back: the run is halted, and that is said', async () => {
  const { step } = stepsThatNote();
  const audit = audited({ auditor: strict(), ...RECOVER });
  const twin = withAuditor(flow().then(step('plan', 'wrong')).commit(), audit.runtime);
  expect((await started(twin)).status).toBe('tripwire');
  expect(audit.faults).toEqual(['cannot-recover']);
});
