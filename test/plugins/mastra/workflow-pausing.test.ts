import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { auditHalt, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { lines, outcomes } from '../../support/mastra-audits.js';
import { asStep, flow, hooked, resumed, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const PAUSE = { onAlarm: 'pause' } as const;

test('an alarm suspends the workflow; to resume it overrides the alarm, and the step is not run again', async () => {
  const { ran, step } = stepsThatNote();
  const audit = hooked(flow().then(step('plan', 'wrong')).then(step('solve')).commit(), PAUSE);
  const result = await started(audit.twin);
  expect(result).toMatchObject({
    status: 'suspended',
    suspended: [['plan']],
    suspendPayload: {
      plan: { auditor: { type: 'audit_alarm', step: 1, agent: 'plan', reason: 'it is wrong' } },
    },
  });
  expect(auditHalt(result)?.alarm?.agent).toBe('plan');
  expect([ran, outcomes(audit)]).toEqual([['plan'], ['paused']]);

  expect(await resumed(audit.twin)).toMatchObject({ status: 'success', result: 'solve is done' });
  expect([ran, outcomes(audit)]).toEqual([
    ['plan', 'solve'],
    ['paused', 'completed'],
  ]);
  expect(lines(audit)).toEqual(['*user user: go', 'plan state: "wrong"', 'solve state: "solve is done"']);
  const [first, second] = audit.of('run');
  expect(second?.continues).toBe(first?.runId);
});

test('what a step demands of those who suspend and resume it is not demanded of the auditor', async () => {
  const { ran, step } = stepsThatNote();
  const schemas = {
    suspendSchema: z.strictObject({ why: z.string() }),
    resumeSchema: z.object({ ok: z.boolean() }),
  };
  const audit = hooked(
    flow()
      .then(step('plan', 'wrong', schemas))
      .commit(),
    PAUSE,
  );
  expect((await started(audit.twin)).status).toBe('suspended');
  expect(await resumed(audit.twin)).toMatchObject({ status: 'success', result: 'wrong' });
  expect(ran).toEqual(['plan']);
});

test('lanes that were stopped with it all go on, each step once, the steps of nested workflows too', async () => {
  const { ran, step } = stepsThatNote();
  const inner = flow('inner')
    .then(step('dig', 'd', {}, 20))
    .then(step('sift'))
    .commit();
  const workflow = flow().parallel([step('bad', 'wrong'), step('slow', 's', {}, 20), asStep(inner)]);
  const audit = hooked(workflow.then(step('end')).commit(), PAUSE);
  const result = await started(audit.twin);
  expect(result).toMatchObject({ status: 'suspended', suspended: [['bad'], ['slow'], ['inner', 'dig']] });
  expect((await resumed(audit.twin)).status).toBe('success');
  expect(ran.toSorted()).toEqual(['bad', 'dig', 'end', 'sift', 'slow']);
});

test('an alarm inside a nested workflow suspends it where it is', async () => {
  const { ran, step } = stepsThatNote();
  const inner = flow('inner').then(step('dig', 'wrong')).then(step('sift')).commit();
  const audit = hooked(flow().then(asStep(inner)).then(step('end')).commit(), PAUSE);
  expect(await started(audit.twin)).toMatchObject({ status: 'suspended', suspended: [['inner', 'dig']] });
  expect((await resumed(audit.twin)).status).toBe('success');
  expect(ran).toEqual(['dig', 'sift', 'end']);
});

test('a new process takes up what the storage has, with the past in view, and overrides that alarm alone', async () => {
  const { ran, step } = stepsThatNote();
  const build = () => flow().then(step('plan', 'wrong')).then(step('solve', 'wrong too')).commit();
  const first = hooked(build(), PAUSE);
  await started(first.twin);
  const second = hooked(build(), PAUSE, first.storage);
  const result = await resumed(second.twin);
  expect(result).toMatchObject({ suspendPayload: { solve: { auditor: { step: 2, agent: 'solve' } } } });
  expect(ran).toEqual(['plan', 'solve']);
  expect(auditHalt(result)?.turns.map(({ agent, given }) => [agent, given === true])).toEqual([
    ['user', true],
    ['plan', true],
    ['solve', false],
  ]);
  expect((await resumed(second.twin)).status).toBe('success');
});

test('a step that asks a human itself is the host’s own affair, and is told once it has answered', async () => {
  const { step } = stepsThatNote();
  const asks = ({ resumeData, suspend }: { resumeData?: unknown; suspend: (payload: object) => unknown }) =>
    resumeData ?? suspend({ question: 'ok?' });
  const audit = hooked(flow().then(step('plan')).then(step('ask', asks)).commit());
  expect(await started(audit.twin)).toMatchObject({ suspendPayload: { ask: { question: 'ok?' } } });
  await resumed(audit.twin, { resumeData: 'yes' });
  expect(lines(audit).slice(1)).toEqual(['plan state: "plan is done"', 'ask state: "yes"']);
  expect(outcomes(audit)).toEqual(['interrupted', 'completed']);
});

test('without a storage nothing can be resumed: the run is halted, and that is said', async () => {
  const { step } = stepsThatNote();
  const audit = audited({ auditor: strict(), ...PAUSE });
  const twin = withAuditor(flow().then(step('plan', 'wrong')).commit(), audit.runtime);
  expect((await started(twin)).status).toBe('tripwire');
  expect(audit.faults).toEqual(['cannot-pause']);
});
