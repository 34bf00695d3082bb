import { run as sdkRun, setTracingDisabled } from '@openai/agents';
import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, replying, strict, watched } from './audited.js';

setTracingDisabled(true);

test('within a run, what is hooked with another runtime is a run of that one; the outer one says what it misses', async () => {
  const outer = watched();
  const inner = watched({ auditor: strict() });
  const part = withAuditor(async (task: string) => sdkRun(replying('inner', 'wrong'), task), inner.runtime);
  const whole = withAuditor(async (task: string) => {
    await sdkRun(replying('outer', 'fine'), task);
    return part(task);
  }, outer.runtime);
  expect(await errorOf(whole('go'))).toBeInstanceOf(AuditHalt);
  expect(outer.told()).toEqual(['user, user: go', 'outer, agent: fine']);
  expect(inner.told()).toEqual(['user, user: go', 'inner, agent: wrong']);
  expect(inner.outcomes()).toEqual(['halted']);
  expect(outer.faults).toMatchObject([
    { code: 'agent-not-hooked', message: expect.stringContaining('another runtime') },
  ]);
  expect(inner.faults).toEqual([]);
});

test('a runner hooked with two runtimes is audited by the inner one, and the outer one says so', async () => {
  const [outer, inner] = [watched(), watched()];
  const twin = withAuditor(withAuditor(bareRunner(), inner.runtime), outer.runtime);
  await twin.run(replying('boss', 'done'), 'go');
  expect(inner.told()).toEqual(['user, user: go', 'boss, agent: done']);
  expect(outer.faults).toMatchObject([{ code: 'agent-not-hooked' }]);
});
