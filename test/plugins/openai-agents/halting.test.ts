import { AgentsError, type Runner, retryPolicies } from '@openai/agents';
import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { AuditorTripwireTriggered, withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, strict, watched } from './audited.js';
import { calls, type ReplyingModel, says } from './replying-model.js';

const forms = [{ stream: false as const }, { stream: true as const }];

/** Streamed or not, the run to its end. */
async function finished(
  runner: Runner,
  agent: Parameters<Runner['run']>[0],
  { stream }: (typeof forms)[number],
) {
  if (!stream) return runner.run(agent, 'go');
  const result = await runner.run(agent, 'go', { stream });
  for await (const _ of result);
  await result.completed;
  return result;
}

test.each(forms)('an alarm halts before the tool that was called ($stream)', async (form) => {
  const { runtime, outcomes, told } = watched({ auditor: strict() });
  const ran: string[] = [];
  const agent = replying('boss', () => calls('wrong'), { tools: [noting(ran, 'wrong')] });
  const error = await errorOf(finished(withAuditor(bareRunner(), runtime), agent, form));
  expect(error).toBeInstanceOf(AuditorTripwireTriggered);
  expect(error).toBeInstanceOf(AgentsError);
  expect(error).toBeInstanceOf(AuditHalt);
  expect(error).toMatchObject({
    result: { step: 1, agent: 'boss', reason: 'it is wrong' },
    alarm: { step: 1, agent: 'boss' },
  });
  expect(ran).toEqual([]);
  expect(told()).toEqual(['user, user: go', 'boss, agent: ']);
  expect(outcomes()).toEqual(['halted']);
});

test.each(forms)('an alarm halts before a handoff, and what it calls ($stream)', async (form) => {
  const { runtime } = watched({ auditor: strict() });
  const heard: string[] = [];
  const clerk = replying('clerk', () => {
    heard.push('clerk');
    return says('hello');
  });
  const boss = replying('boss', () => [...says('wrong'), ...calls('transfer_to_clerk')], {
    handoffs: [clerk],
  });
  const error = await errorOf(finished(withAuditor(bareRunner(), runtime), boss, form));
  expect(error).toBeInstanceOf(AuditorTripwireTriggered);
  expect(heard).toEqual([]);
});

test.each(forms)('an alarm on a tool’s result halts before the next model call ($stream)', async (form) => {
  const { runtime, outcomes } = watched({ auditor: strict() });
  const agent = replying('boss', (request) => (isAnswered(request) ? says('never') : calls('look')), {
    tools: [noting([], 'look', () => 'a wrong result')],
  });
  const error = await errorOf(finished(withAuditor(bareRunner(), runtime), agent, form));
  expect(error).toMatchObject({ result: { step: 2, agent: 'boss' } });
  expect((agent.model as ReplyingModel).asked).toBe(1);
  expect(outcomes()).toEqual(['halted']);
});

test.each(forms)('an alarm on the answer halts before the answer ($stream)', async (form) => {
  const { runtime } = watched({ auditor: strict() });
  const error = await errorOf(finished(withAuditor(bareRunner(), runtime), replying('boss', 'wrong'), form));
  expect(error).toMatchObject({ result: { step: 1, agent: 'boss' } });
});

test.each(forms)(
  'an alarm two levels down rejects the outermost run, though the SDK makes it a tool’s error ($stream)',
  async (form) => {
    const { runtime, told, outcomes } = watched({ auditor: strict() });
    const asking = (name: string, inner: ReturnType<typeof replying>) =>
      replying(
        name,
        (request) =>
          isAnswered(request) ? says(`${name} goes on`) : calls('ask', { input: '?' }, `${name}-asks`),
        { tools: [inner.asTool({ toolName: 'ask', toolDescription: 'asks' })] },
      );
    const boss = asking('boss', asking('chief', replying('clerk', 'wrong')));
    const error = await errorOf(finished(withAuditor(bareRunner(), runtime), boss, form));
    expect(error).toMatchObject({ result: { step: 3, agent: 'clerk' } });
    expect(error).toBeInstanceOf(AuditHalt);
    expect(told().at(-1)).toBe('clerk, agent: wrong');
    expect(outcomes()).toEqual(['halted']);
    expect((boss.model as ReplyingModel).asked).toBe(1);
  },
);

test('agents side by side: one’s alarm stops the others at their next step', async () => {
  const { runtime } = watched({ auditor: strict() });
  const ran: string[] = [];
  const bad = replying('bad', 'wrong');
  const slow = replying(
    'slow',
    async (request) => {
      await new Promise((done) => setTimeout(done, 40));
      return isAnswered(request) ? says('done') : calls('look');
    },
    { tools: [noting(ran, 'look')] },
  );
  const boss = replying(
    'boss',
    () => [...calls('ask_bad', { input: '' }), ...calls('ask_slow', { input: '' })],
    { tools: [bad, slow].map((one) => one.asTool({ toolName: `ask_${one.name}`, toolDescription: '' })) },
  );
  const error = await errorOf(withAuditor(bareRunner(), runtime).run(boss, 'go'));
  expect(error).toMatchObject({ result: { agent: 'bad' } });
  expect(ran).toEqual([]);
});

test.each(forms)(
  'a policy that retries everything asks the model once, and does not wait ($stream)',
  async (form) => {
    const { runtime, outcomes } = watched({ auditor: strict() });
    const seen: unknown[] = [];
    const agent = replying('boss', 'wrong', {
      modelSettings: {
        retry: {
          maxRetries: 3,
          backoff: { initialDelayMs: 2_000, maxDelayMs: 2_000 },
          policy: (context) => {
            seen.push(context.error);
            return retryPolicies.any(retryPolicies.networkError(), () => true)(context);
          },
        },
      },
    });
    const began = performance.now();
    const error = await errorOf(finished(withAuditor(bareRunner(), runtime), agent, form));
    expect(error).toBeInstanceOf(AuditorTripwireTriggered);
    expect((agent.model as ReplyingModel).asked).toBe(1);
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(outcomes()).toEqual(['halted']);
  },
);

test.each(forms)('a model’s own failure is retried as ever, and told once ($stream)', async (form) => {
  const { runtime, told } = watched();
  const agent = replying(
    'boss',
    (_request, asked) => {
      if (asked === 0) throw new Error('overloaded');
      return says('done');
    },
    { modelSettings: { retry: { maxRetries: 2, backoff: { initialDelayMs: 1 }, policy: () => true } } },
  );
  await finished(withAuditor(bareRunner(), runtime), agent, form);
  expect(told()).toEqual(['user, user: go', 'boss, agent: done']);
});

test('a halt that the user’s error handlers would make an answer of stays a halt', async () => {
  const { runtime } = watched({ auditor: strict() });
  const runner = withAuditor(bareRunner(), runtime);
  const error = await errorOf(
    runner.run(replying('boss', 'wrong'), 'go', {
      errorHandlers: {
        default: () => ({ finalOutput: 'a way round' }),
      },
    } as never),
  );
  expect(error).toBeInstanceOf(AuditorTripwireTriggered);
});

test('an error of the model’s, and of the run, is the very object', async () => {
  const { runtime, outcomes } = watched();
  const thrown = new Error('overloaded');
  const agent = replying('boss', () => {
    throw thrown;
  });
  expect(await errorOf(withAuditor(bareRunner(), runtime).run(agent, 'go'))).toBe(thrown);
  expect(outcomes()).toEqual(['failed']);
});

test('a run at its most turns: the last tool’s result is told, and the error is the SDK’s', async () => {
  const { runtime, told, outcomes } = watched();
  const agent = replying('boss', (_request, asked) => calls('look', {}, `look-${asked}`), {
    tools: [noting([], 'look')],
  });
  const error = await errorOf(withAuditor(bareRunner(), runtime).run(agent, 'go', { maxTurns: 2 }));
  expect((error as Error).name).toBe('MaxTurnsExceededError');
  expect(told().slice(-2)).toEqual(['boss, agent: ', 'boss, tool: look done']);
  expect(outcomes()).toEqual(['failed']);
});

test.each(forms)(
  'toolUseBehavior ends the run by a tool: its result is judged before it is the answer ($stream)',
  async (form) => {
    for (const [result, status] of [
      ['fine', 'completed'],
      ['wrong', 'halted'],
    ] as const) {
      const { runtime, told, outcomes } = watched({ auditor: strict() });
      const agent = replying('boss', () => calls('look'), {
        tools: [noting([], 'look', () => result)],
        toolUseBehavior: 'stop_on_first_tool',
      });
      const ended = await finished(withAuditor(bareRunner(), runtime), agent, form).catch((error) => error);
      expect(told().at(-1)).toBe(`boss, tool: ${result}`);
      expect(outcomes()).toEqual([status]);
      if (status === 'completed') expect(ended.finalOutput).toBe('fine');
      else expect(ended).toMatchObject({ result: { step: 2, agent: 'boss' } });
    }
  },
);

test('observing changes nothing', async () => {
  const { runtime, of } = watched({ auditor: strict(), onAlarm: 'observe' });
  const ran: string[] = [];
  const agent = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('wrong')), {
    tools: [noting(ran, 'wrong')],
  });
  const { finalOutput } = await withAuditor(bareRunner(), runtime).run(agent, 'go');
  expect([finalOutput, ran]).toEqual(['done', ['wrong']]);
  expect(of('close')).toMatchObject([{ outcome: { status: 'completed' } }]);
});

test('overlapping: the next model call begins before the verdict, its tool waits for it', async () => {
  const log: string[] = [];
  const wait = async () => {
    await new Promise((done) => setTimeout(done, 30));
    log.push('verdict');
  };
  const { runtime } = watched({ auditor: strict(wait), gating: 'overlap' });
  const agent = replying(
    'boss',
    (_request, asked) => {
      log.push(`model ${asked}`);
      return asked === 2 ? says('done') : calls('look', {}, `look-${asked}`);
    },
    {
      tools: [noting([], 'look', () => void log.push('tool'))],
    },
  );
  await withAuditor(bareRunner(), runtime).run(agent, 'go');
  expect(log.slice(0, 5)).toEqual(['model 0', 'verdict', 'tool', 'model 1', 'verdict']);
  expect(log.indexOf('model 1')).toBeLessThan(log.lastIndexOf('verdict'));
});

test('a halted run is taken up by its state: what was blamed is accepted, and the model is not asked again', async () => {
  for (const form of forms) {
    const { runtime, told, outcomes, of } = watched({ auditor: strict() });
    const ran: string[] = [];
    const agent = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('wrong')), {
      tools: [noting(ran, 'wrong', () => 'as was asked')],
    });
    const runner = withAuditor(bareRunner(), runtime);
    const error = (await errorOf(finished(runner, agent, form))) as AuditorTripwireTriggered;
    expect(error.state).toBeDefined();
    const { finalOutput } = await runner.run(agent, error.state as never);
    expect([finalOutput, ran]).toEqual(['done', ['wrong']]);
    expect((agent.model as ReplyingModel).asked).toBe(2);
    expect(outcomes()).toEqual(['halted', 'completed']);
    expect(told().slice(-2)).toEqual(['boss, tool: as was asked', 'boss, agent: done']);
    const [first, second] = of('run');
    expect(second).toMatchObject({ task: 'go', continues: first?.runId });
  }
});

test('what the SDK itself answers to a call it cannot make is told, also when the run fails then', async () => {
  const { runtime, turns, outcomes } = watched();
  const [call] = calls('look');
  const agent = replying('boss', () => [{ ...call, arguments: '{"a":' } as NonNullable<typeof call>], {
    tools: [noting([], 'look')],
  });
  await errorOf(withAuditor(bareRunner(), runtime).run(agent, 'go', { maxTurns: 1 }));
  expect(turns().at(-1)).toMatchObject({ agent: 'boss', kind: 'tool', toolName: 'look', isError: true });
  expect(outcomes()).toEqual(['failed']);
});
