import { setTimeout as pause } from 'node:timers/promises';
import { run as sdkRun, setTracingDisabled } from '@openai/agents';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { type AuditorTripwireTriggered, withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, strict, watched } from './audited.js';
import { calls, says } from './replying-model.js';

setTracingDisabled(true);

test('what a function returns waits for its verdict, though a stream of its runs on', async () => {
  const { runtime, outcomes } = watched({ auditor: strict(() => pause(20)), gating: 'overlap' });
  const slow = replying('slow', async () => {
    await pause(120);
    return says('done');
  });
  const solve = withAuditor(
    async (task: string) => {
      await sdkRun(slow, task, { stream: true });
      return (await sdkRun(replying('solver', 'wrong'), task)).finalOutput;
    },
    runtime,
    { audit: 'overlap' },
  );
  expect(await errorOf(solve('go'))).toBeInstanceOf(AuditHalt);
  await vi.waitFor(() => expect(outcomes()).toEqual(['halted']));
});

test('a stream that has failed before the function returns it is a failed run', async () => {
  const { runtime, outcomes } = watched();
  const broken = replying('boss', 'fine', {
    instructions: () => {
      throw new Error('no instructions');
    },
  });
  const start = withAuditor((task: string) => sdkRun(broken, task, { stream: true }), runtime);
  const stream = await start('go');
  expect(await errorOf(stream.completed)).toMatchObject({ message: 'no instructions' });
  await vi.waitFor(() => expect(outcomes()).toEqual(['failed']));
});

test('a halted run that was taken up and failed later does not run what was held again', async () => {
  const { runtime } = watched({ auditor: strict() });
  const ran: string[] = [];
  let isDown = true;
  const agent = replying(
    'boss',
    (request) => {
      if (!isAnswered(request)) return calls('wrong');
      if (!isDown) return says('done');
      isDown = false;
      throw new Error('the network is down');
    },
    { tools: [noting(ran, 'wrong', () => 'as was asked')] },
  );
  const runner = withAuditor(bareRunner(), runtime);
  const halt = (await errorOf(runner.run(agent, 'go'))) as AuditorTripwireTriggered;
  const state = halt.state as never;
  expect(await errorOf(runner.run(agent, state))).toMatchObject({ message: 'the network is down' });
  expect(ran).toEqual(['wrong']);
  expect((await runner.run(agent, state)).finalOutput).toBe('done');
  expect(ran).toEqual(['wrong']);
});

test('what cannot be read throws nothing into the run', async () => {
  const { runtime, told, faults } = watched();
  const loop: Record<string, unknown> = { n: 1n };
  loop['self'] = loop;
  const hosted = { type: 'hosted_tool_call', id: 'h1', name: 'odd', status: 'completed', output: loop };
  const agent = replying('boss', () => [hosted, ...says('done')] as never);
  const { finalOutput } = await withAuditor(bareRunner(), runtime).run(agent, 'go');
  expect(finalOutput).toBe('done');
  expect(told()).toEqual(['user, user: go', 'boss, agent: done', 'boss, tool: [object Object]']);
  expect(faults).toEqual([]);
});
