import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { RunState, run as sdkRun, setTracingDisabled, tool } from '@openai/agents';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import {
  type AnyState,
  bareRunner,
  errorOf,
  isAnswered,
  noting,
  replying,
  strict,
  watched,
} from './audited.js';
import { calls, says } from './replying-model.js';

setTracingDisabled(true);

test('an agent that a guardrail asks is part of the run: its alarm stops the tools of the agent it guards', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  const ran: string[] = [];
  const guard = replying('guard', 'wrong');
  const boss = replying(
    'boss',
    async (request) => {
      await pause(30);
      return isAnswered(request) ? says('done') : calls('send');
    },
    { tools: [noting(ran, 'send')] },
  );
  boss.inputGuardrails = [
    {
      name: 'asks',
      execute: async ({ input }) => {
        await sdkRun(guard, input as string).catch(() => {});
        return { tripwireTriggered: false, outputInfo: '' };
      },
    },
  ];
  const error = await errorOf(withAuditor(bareRunner(), runtime).run(boss, 'go'));
  expect(error).toMatchObject({ result: { agent: 'guard' } });
  expect(error).toBeInstanceOf(AuditHalt);
  expect(ran).toEqual([]);
  expect(told()).toContain('guard, agent: wrong');
});

test('a handoff beside tools: every answer is of the agent that called, and a second handoff, which the SDK ignores, has none', async () => {
  const { runtime, turns } = watched();
  const clerk = replying('clerk', 'done');
  const boss = replying(
    'boss',
    () => [...calls('look'), ...calls('transfer_to_clerk'), ...calls('transfer_to_porter')],
    { tools: [noting([], 'look')], handoffs: [clerk, replying('porter', 'never')] },
  );
  await withAuditor(bareRunner(), runtime).run(boss, 'go');
  expect(turns().map(({ agent, kind, toolName }) => [agent, kind, toolName])).toEqual([
    ['user', 'user', undefined],
    ['boss', 'agent', undefined],
    ['boss', 'tool', 'look'],
    ['boss', 'tool', 'transfer_to_clerk'],
    ['clerk', 'agent', undefined],
  ]);
  expect(turns()[1]?.handoffTo).toBe('clerk');
});

test('a tool’s input guardrail that throws rejects as ever; one that refuses is told as the answer', async () => {
  for (const behavior of [
    { type: 'throwException' as const },
    { type: 'rejectContent' as const, message: 'not that' },
  ]) {
    const { runtime, told, outcomes } = watched();
    const send = tool({
      name: 'send',
      description: 'sends',
      parameters: z.object({}),
      execute: async () => 'sent',
      inputGuardrails: [{ type: 'tool_input', name: 'no', run: async () => ({ behavior }) }],
    });
    const boss = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('send')), {
      tools: [send],
    });
    const result = await withAuditor(bareRunner(), runtime)
      .run(boss, 'go')
      .catch((error: Error) => error);
    if (behavior.type === 'throwException') {
      expect((result as { error?: Error }).error?.constructor.name).toBe(
        'ToolInputGuardrailTripwireTriggered',
      );
      expect(outcomes()).toEqual(['failed']);
    } else {
      expect(told()).toEqual([
        'user, user: go',
        'boss, agent: ',
        'boss, tool: not that',
        'boss, agent: done',
      ]);
    }
  }
});

test.each(['approved', 'wrong'])(
  'an agent in a tool is judged on after a human has answered: %s',
  async (result) => {
    const { runtime, outcomes } = watched({ auditor: strict() });
    const clerk = replying('clerk', (request) => (isAnswered(request) ? says('sent it') : calls('send')), {
      tools: [noting([], 'send', () => result, { needsApproval: true })],
    });
    const boss = replying(
      'boss',
      (request) => (isAnswered(request) ? says('done') : calls('ask', { input: '?' })),
      {
        tools: [clerk.asTool({ toolName: 'ask', toolDescription: 'asks' })],
      },
    );
    const runner = withAuditor(bareRunner(), runtime);
    const first = await runner.run(boss, 'go');
    const state: AnyState = first.state;
    for (const one of state.getInterruptions()) state.approve(one);
    const second = await runner.run(boss, state).catch((error: unknown) => error);
    if (result === 'wrong') expect(second).toMatchObject({ result: { agent: 'clerk' } });
    else expect(second).toMatchObject({ finalOutput: 'done' });
    expect(outcomes()).toEqual(['interrupted', result === 'wrong' ? 'halted' : 'completed']);
  },
);

test('two runs that take up copies of one state are two runs', async () => {
  const { runtime, told, of } = watched();
  const boss = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('send')), {
    tools: [noting([], 'send', undefined, { needsApproval: true })],
  });
  const runner = withAuditor(bareRunner(), runtime);
  const { state } = await runner.run(boss, 'go');
  const taken = async () => {
    const copy: AnyState = await RunState.fromString(boss, JSON.stringify(state));
    for (const one of copy.getInterruptions()) copy.approve(one);
    return (await runner.run(boss, copy)).finalOutput;
  };
  expect(await Promise.all([taken(), taken()])).toEqual(['done', 'done']);
  expect(of('run')).toHaveLength(3);
  expect(told().filter((turn) => turn === 'boss, tool: send done')).toHaveLength(2);
});

test('a signal that outlives its runs keeps nothing of them', async () => {
  const { runtime } = watched({ auditor: strict() });
  const { signal } = new AbortController();
  const runner = withAuditor(bareRunner(), runtime);
  await runner.run(replying('boss', 'done'), 'go', { signal });
  await errorOf(runner.run(replying('boss', 'wrong'), 'go', { signal }));
  const stream = await runner.run(replying('boss', 'done'), 'go', { signal, stream: true });
  await stream.completed;
  const solve = withAuditor(
    async (task: string) => sdkRun(replying('boss', 'done'), task, { signal }),
    runtime,
  );
  await solve('go');
  const bare = new AbortController();
  const bareStream = await bareRunner().run(replying('boss', 'done'), 'go', {
    signal: bare.signal,
    stream: true,
  });
  await bareStream.completed;
  expect(getEventListeners(signal, 'abort').length).toBe(getEventListeners(bare.signal, 'abort').length);
});

test('a frozen runner has a twin', async () => {
  const { runtime, told } = watched();
  const runner = bareRunner();
  Object.freeze(runner);
  await withAuditor(runner, runtime).run(replying('boss', 'done'), 'go');
  expect(told()).toEqual(['user, user: go', 'boss, agent: done']);
});
