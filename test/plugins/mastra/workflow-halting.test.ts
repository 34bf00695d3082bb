import { createStep } from '@mastra/core/workflows';
import { expect, test, vi } from 'vitest';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat } from '../../support/mastra-agents.js';
import { outcomes } from '../../support/mastra-audits.js';
import { asStep, flow, hooked, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

test('a halted workflow ends with a tripwire that says who, where and why; nothing later runs', async () => {
  const { ran, step } = stepsThatNote();
  const audit = hooked(flow().then(step('plan', 'wrong')).then(step('solve')).commit());
  const result = await started(audit.twin);
  expect(result.status).toBe('tripwire');
  expect(isAuditorTripwire(result)).toBe(true);
  expect(result).toMatchObject({
    tripwire: {
      processorId: 'auditor',
      reason: expect.stringContaining('it is wrong'),
      metadata: { step: 1, agent: 'plan', reason: 'it is wrong' },
    },
  });
  expect(auditHalt(result)?.turns.map(({ agent }) => agent)).toEqual(['user', 'plan']);
  expect([ran, outcomes(audit)]).toEqual([['plan'], ['halted']]);
});

test('streamed: the stream ends, and its result says so', async () => {
  const { ran, step } = stepsThatNote();
  const audit = hooked(flow().then(step('plan', 'wrong')).then(step('solve')).commit());
  const output = (await audit.twin.createRun()).stream({ inputData: '' });
  const types = (await Array.fromAsync(output.fullStream)).map(({ type }) => type);
  expect(types.at(-1)).toBe('workflow-finish');
  expect([(await output.result).status, ran]).toEqual(['tripwire', ['plan']]);
});

test('a step that may be retried is not, once it is halted; one that fails is, and is told once', async () => {
  const { ran, step } = stepsThatNote();
  const audit = hooked(
    flow()
      .then(step('plan', 'wrong', { retries: 3 }))
      .commit(),
  );
  expect((await started(audit.twin)).status).toBe('tripwire');
  expect(ran).toEqual(['plan']);

  let tries = 0;
  const flaky = () => (++tries < 3 ? Promise.reject(new Error('busy')) : 'fine');
  const healthy = hooked(
    flow()
      .then(step('flaky', flaky, { retries: 3 }))
      .commit(),
  );
  expect((await started(healthy.twin)).status).toBe('success');
  expect([tries, healthy.turns().length]).toEqual([3, 2]);
});

const { ran: all, step } = stepsThatNote();
const bad = step('bad', 'wrong');
test.each([
  ['a lane', flow().parallel([bad, step('other')])],
  ['a branch', flow().branch([[async () => true, bad]])],
  ['a loop', flow().dowhile(bad, async () => true)],
  [
    'a foreach',
    flow()
      .map(async () => [1, 2])
      .foreach(bad),
  ],
  ['a nested workflow', flow().then(asStep(flow('inner').then(bad).then(step('inner-later')).commit()))],
])('an alarm in %s is a tripwire of the whole, and stops what follows', async (_where, start) => {
  all.length = 0;
  const audit = hooked(start.then(step('later')).commit());
  expect(isAuditorTripwire(await started(audit.twin))).toBe(true);
  expect(all.filter((id) => id.endsWith('later'))).toEqual([]);
  expect(all.filter((id) => id === 'bad')).toHaveLength(1);
});

test('a tripwire that a step’s code ignores stops the run when the step ends, and it says nothing', async () => {
  const { ran, step } = stepsThatNote();
  const scout = agentThat('scout', [{ text: 'wrong' }]);
  const code = async () => (await scout.generate('Find it')).text;
  const audit = hooked(
    flow()
      .then(step('boss', code, { retries: 2 }))
      .then(step('later'))
      .commit(),
  );
  const result = await started(audit.twin);
  expect(result).toMatchObject({ status: 'tripwire', tripwire: { metadata: { agent: 'scout' } } });
  expect([ran, audit.turns().map(({ agent }) => agent)]).toEqual([['boss'], ['user', 'scout']]);
});

test('what a step bails out with is judged before it leaves', async () => {
  const { ran, step } = stepsThatNote();
  const bail = ({ bail }: { bail: (result: unknown) => unknown }) => bail('wrong');
  const audit = hooked(flow().then(step('plan', bail)).then(step('later')).commit());
  expect((await started(audit.twin)).status).toBe('tripwire');
  expect([ran, outcomes(audit)]).toEqual([['plan'], ['halted']]);
});

test('what the schedule has passed over is judged before the last step’s result leaves', async () => {
  const { step } = stepsThatNote();
  const audit = hooked(flow().then(step('plan', 'fine')).then(step('solve', 'wrong')).commit(), {
    schedule: { due: () => false },
  });
  expect(await started(audit.twin)).toMatchObject({
    status: 'tripwire',
    tripwire: { metadata: { step: 2 } },
  });
  expect(audit.of('verdict')).toHaveLength(1);
});

test('a host in code hooked twice with one runtime, and a run within another run, tell every turn once', async () => {
  const { step } = stepsThatNote();
  const audit = audited({ auditor: strict() });
  const inner = withAuditor(flow('inner').then(step('dig')).commit(), audit.runtime);
  const outer = flow()
    .then(createStep({ ...step('boss'), execute: async () => (await started(inner)).status }))
    .commit();
  await started(withAuditor(withAuditor(outer, audit.runtime), audit.runtime));
  expect(audit.turns().map(({ agent }) => agent)).toEqual(['user', 'dig', 'boss']);
});

test('a step that asks a human after the agent that it called was halted is halted, not suspended', async () => {
  const { ran, step } = stepsThatNote();
  const scout = agentThat('scout', [{ text: 'wrong' }]);
  const code = async ({ suspend }: { suspend: (payload: object) => unknown }) => {
    await scout.generate('Find it');
    return suspend({ asks: 'Is this fine?' });
  };
  const audit = hooked(flow().then(step('boss', code)).then(step('later')).commit());
  const result = await started(audit.twin);
  expect([result.status, ran, outcomes(audit)]).toEqual(['tripwire', ['boss'], ['halted']]);
});

test('a workflow that is an agent’s tool is held step by step, and stops the agent', async () => {
  const { ran, step } = stepsThatNote();
  const dig = flow('dig').then(step('one', 'wrong')).then(step('two')).commit();
  const script = [
    { calls: [{ id: 'asked', name: 'workflow-dig', args: { inputData: 'x' } }] },
    { text: 'done' },
  ];
  const boss = agentThat('boss', script, { workflows: { dig } });
  const audit = audited({ auditor: strict() });
  const result = await withAuditor(boss, audit.runtime).generate('Dig');
  expect(auditHalt(result)?.alarm).toMatchObject({ step: 2, agent: 'one' });
  expect([ran, boss.prompts.length]).toEqual([['one'], 1]);
});

test('an agent that a mapping or a condition calls stops what follows, and the result', async () => {
  const { ran, step } = stepsThatNote();
  const scout = agentThat('scout', [{ text: 'wrong' }]);
  const found = async () => (await scout.generate('Find it')).text;
  const maps = hooked(flow().then(step('plan', 'fine')).map(found).commit());
  expect((await started(maps.twin)).status).toBe('tripwire');
  const branches = hooked(
    flow()
      .branch([[async () => (await found()) === '', step('never')]])
      .commit(),
  );
  expect((await started(branches.twin)).status).toBe('tripwire');
  expect(ran).toEqual(['plan']);
});

test('an agent step that may be retried is asked once, when it is halted', async () => {
  const { ran, step } = stepsThatNote();
  const scout = agentThat('scout', [{ text: 'wrong' }]);
  const start = flow().map(async () => ({ prompt: 'Find it' }));
  const audit = hooked(start.agent(scout, { retries: 3 }).then(step('later')).commit());
  expect((await started(audit.twin)).status).toBe('tripwire');
  expect([scout.prompts.length, ran]).toEqual([1, []]);
});

test.each(['startAsync', 'streamLegacy'] as const)('%s is audited as start is', async (method) => {
  const { ran, step } = stepsThatNote();
  const audit = hooked(flow().then(step('plan', 'wrong')).then(step('later')).commit());
  const run = await audit.twin.createRun();
  await run[method]({ inputData: '' });
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['halted']));
  expect(ran).toEqual(['plan']);
});
