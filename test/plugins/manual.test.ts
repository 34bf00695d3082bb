import { expect, expectTypeOf, test } from 'vitest';
import { AuditHalt, createRuntime, memoryRecorder, SetupError } from '../../core/index.js';
import { approvingAuditor, proceed, ScriptedAuditor } from '../../core/testing/index.js';
import { type AuditedLoop, type Report, withAuditor } from '../../plugins/manual/index.js';

const alarm = { kind: 'alarm', step: 1, agent: 'planner', reason: 'wrong plan' };

function loopThat(ran: string[], afterHalt: 'lets it pass' | 'swallows it' = 'lets it pass') {
  return async (task: string, report: Report) => {
    for (const agent of ['planner', 'solver']) {
      ran.push(agent);
      const reported = report({ agent, kind: 'agent', content: `${agent} on ${task}` });
      if (afterHalt === 'swallows it') await reported.catch(() => undefined);
      else await reported;
    }
    return 42;
  };
}

test('with every verdict Continue the loop returns what it returns, and its turns are recorded', async () => {
  const recorder = memoryRecorder();
  const run = withAuditor(loopThat([]), createRuntime({ auditor: approvingAuditor(), recorder }));
  expectTypeOf(run).toEqualTypeOf<AuditedLoop<number>>();
  expect(await run('sums')).toBe(42);
  const turns = recorder.records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
  expect(turns.map(({ index, agent, content }) => [index, agent, content])).toEqual([
    [0, 'user', 'sums'],
    [1, 'planner', 'planner on sums'],
    [2, 'solver', 'solver on sums'],
  ]);
  expect(recorder.records.at(-1)).toMatchObject({ type: 'close', outcome: { status: 'completed' } });
});

test('an alarm stops the loop at the turn that it reports', async () => {
  const ran: string[] = [];
  const run = withAuditor(loopThat(ran), createRuntime({ auditor: new ScriptedAuditor([alarm]) }));
  await expect(run('sums')).rejects.toMatchObject({
    alarm,
    turns: [{ agent: 'user' }, { agent: 'planner' }],
  });
  expect(ran).toEqual(['planner']);
});

test('a loop that swallows the halt is halted at every later turn, and at its end', async () => {
  const run = withAuditor(
    loopThat([], 'swallows it'),
    createRuntime({ auditor: new ScriptedAuditor([alarm]) }),
  );
  await expect(run('sums')).rejects.toBeInstanceOf(AuditHalt);
});

test('the loop’s own error stays its own, and the run is recorded as failed', async () => {
  const fault = new Error('no network');
  const recorder = memoryRecorder();
  const run = withAuditor(async () => Promise.reject(fault), createRuntime({ recorder }));
  await expect(run('sums')).rejects.toBe(fault);
  expect(recorder.records.at(-1)).toMatchObject({ outcome: { status: 'failed', error: 'no network' } });
});

test('the last turn is judged at the end if the schedule passed it over', async () => {
  const auditor = new ScriptedAuditor([proceed]);
  const runtime = createRuntime({ auditor, schedule: { due: () => false } });
  await withAuditor(loopThat([]), runtime)('sums');
  expect(auditor.requests.map(({ turns }) => turns.length)).toEqual([3]);
});

test('something that is no loop is refused at once', () => {
  expect(() => withAuditor('loop' as never, createRuntime())).toThrow(SetupError);
});
