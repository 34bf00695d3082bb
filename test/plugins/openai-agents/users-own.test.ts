import { setTimeout as pause } from 'node:timers/promises';
import { Agent, handoff, Runner, tool } from '@openai/agents';
import { removeAllTools } from '@openai/agents-core/extensions';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, strict, watched } from './audited.js';
import { calls, type ReplyingModel, says } from './replying-model.js';

test('an input guardrail of the user’s rejects as ever, beside the model or before it', async () => {
  for (const runInParallel of [true, false]) {
    const { runtime, outcomes } = watched();
    const agent = replying('boss', async () => {
      await pause(40);
      return says('done');
    });
    agent.inputGuardrails = [
      {
        name: 'no',
        runInParallel,
        execute: async () => {
          await pause(20);
          return { tripwireTriggered: true, outputInfo: 'no' };
        },
      },
    ];
    const error = await errorOf(withAuditor(bareRunner(), runtime).run(agent, 'go'));
    expect((error as Error).constructor.name).toBe('InputGuardrailTripwireTriggered');
    expect(error).not.toBeInstanceOf(AuditHalt);
    expect(outcomes()).toEqual(runInParallel ? ['failed'] : []);
  }
});

test('an output guardrail of the user’s sees only what the auditor lets go', async () => {
  for (const [answer, seen, error] of [
    ['done', ['done'], 'OutputGuardrailTripwireTriggered'],
    ['wrong', [], 'AuditorTripwireTriggered'],
  ] as const) {
    const { runtime } = watched({ auditor: strict() });
    const checked: unknown[] = [];
    const agent = replying('boss', answer);
    agent.outputGuardrails = [
      {
        name: 'no',
        execute: async ({ agentOutput }) => {
          checked.push(agentOutput);
          return { tripwireTriggered: true, outputInfo: 'no' };
        },
      },
    ];
    const thrown = await errorOf(withAuditor(bareRunner(), runtime).run(agent, 'go'));
    expect([(thrown as Error).constructor.name, checked]).toEqual([error, seen]);
  }
});

test('what a tool guardrail puts in the place of a result is what is judged', async () => {
  const { runtime, told } = watched();
  const look = tool({
    name: 'look',
    description: 'looks',
    parameters: z.object({}),
    execute: async () => 'the secret',
    outputGuardrails: [
      {
        type: 'tool_output',
        name: 'hide',
        run: async () => ({ behavior: { type: 'rejectContent', message: 'hidden' } }),
      },
    ],
  });
  const agent = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('look')), {
    tools: [look],
  });
  await withAuditor(bareRunner(), runtime).run(agent, 'go');
  expect(told()[2]).toBe('boss, tool: hidden');
});

test('a filter of the user’s that hides results from the model hides none from the auditor', async () => {
  const { runtime, told } = watched();
  const seen: number[] = [];
  const agent = replying(
    'boss',
    ({ input }, asked) => {
      seen.push(input.length);
      return asked === 2 ? says('done') : calls('look', {}, `look-${asked}`);
    },
    { tools: [noting([], 'look')] },
  );
  await withAuditor(bareRunner(), runtime).run(agent, 'go', {
    callModelInputFilter: ({ modelData }) => ({ ...modelData, input: modelData.input.slice(0, 1) }),
  });
  expect(seen).toEqual([1, 1, 1]);
  expect(told()).toEqual([
    'user, user: go',
    'boss, agent: ',
    'boss, tool: look done',
    'boss, agent: ',
    'boss, tool: look done',
    'boss, agent: done',
  ]);
});

test('a handoff that takes no tools along hides none from the auditor', async () => {
  const { runtime, told } = watched();
  const clerk = replying('clerk', 'done');
  const boss = replying(
    'boss',
    (request) => (isAnswered(request) ? calls('transfer_to_clerk') : calls('look')),
    { tools: [noting([], 'look')], handoffs: [handoff(clerk, { inputFilter: removeAllTools })] },
  );
  await withAuditor(bareRunner(), runtime).run(boss, 'go');
  expect(told()).toEqual([
    'user, user: go',
    'boss, agent: ',
    'boss, tool: look done',
    'boss, agent: ',
    'boss, tool: {"assistant":"clerk"}',
    'clerk, agent: done',
  ]);
});

test('the listeners of a runner hear what they heard, through the twin and the runner alike', async () => {
  const { runtime } = watched();
  const heard: string[] = [];
  const runner = bareRunner();
  const twin = withAuditor(runner, runtime);
  runner.on('agent_start', (_context, agent) => void heard.push(`start ${agent.name}`));
  twin.on('agent_end', (_context, agent, output) => void heard.push(`end ${agent.name}: ${output}`));
  twin.on(
    'agent_tool_end',
    (_context, agent, used, result) => void heard.push(`tool ${agent.name} ${used.name}: ${result}`),
  );
  const agent = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('look')), {
    tools: [noting([], 'look')],
  });
  await twin.run(agent, 'go');
  expect(heard).toEqual(['start boss', 'tool boss look: look done', 'end boss: done']);
});

test('a tool that passes a halt on as an error of its own does not hide it', async () => {
  const { runtime, outcomes } = watched({ auditor: strict() });
  const inner = replying('clerk', 'wrong');
  const ask = tool({
    name: 'ask',
    description: 'asks',
    parameters: z.object({}),
    errorFunction: null,
    execute: async () => {
      try {
        return (await bareRunner().run(inner, '?')).finalOutput;
      } catch (cause) {
        throw new Error('the clerk is ill', { cause });
      }
    },
  });
  const boss = replying('boss', () => calls('ask'), { tools: [ask] });
  const error = await errorOf(withAuditor(bareRunner(), runtime).run(boss, 'go'));
  expect(error).toBeInstanceOf(AuditHalt);
  expect(error).toMatchObject({ result: { agent: 'clerk' }, cause: expect.any(Error) });
  expect(outcomes()).toEqual(['halted']);
});

test('a tool that times out with an error rejects the run with it; what its neighbours gave is told', async () => {
  const { runtime, outcomes } = watched();
  const slow = tool({
    name: 'slow',
    description: 'is slow',
    parameters: z.object({}),
    timeoutMs: 5,
    timeoutBehavior: 'raise_exception',
    execute: () => new Promise<string>((done) => setTimeout(done, 60, 'late')),
  });
  const boss = replying('boss', () => calls('slow'), { tools: [slow] });
  const error = await errorOf(withAuditor(bareRunner(), runtime).run(boss, 'go'));
  expect((error as Error).constructor.name).toBe('ToolTimeoutError');
  expect(outcomes()).toEqual(['failed']);
});

test('a runner of a class of the user’s own keeps its class, and what its methods need', async () => {
  class Counting extends Runner {
    #runs = 0;
    override run(...args: never[]): never {
      this.#runs++;
      return super.run(...(args as unknown as Parameters<Runner['run']>)) as never;
    }
    get runs() {
      return this.#runs;
    }
  }
  const { runtime, told } = watched();
  const runner = new Counting({ tracingDisabled: true });
  const twin = withAuditor(runner, runtime);
  expect(twin).toBeInstanceOf(Counting);
  await (twin as Runner).run(replying('boss', 'done'), 'go');
  expect(told()).toEqual(['user, user: go', 'boss, agent: done']);
  expect([twin.runs, runner.runs]).toEqual([1, 1]);
});

test('agents and their models keep what they have; bare runs tell nobody', async () => {
  const { runtime, told } = watched();
  const agent = replying('boss', 'done');
  const model = agent.model as ReplyingModel;
  const before = [Reflect.ownKeys(agent), Reflect.ownKeys(model)];
  const runner = bareRunner();
  const own = Reflect.ownKeys(runner);
  await withAuditor(runner, runtime).run(agent, 'go');
  const after = told().length;
  expect([Reflect.ownKeys(agent), Reflect.ownKeys(model)]).toEqual(before);
  expect(agent.model).toBe(model);
  expect(Reflect.ownKeys(runner)).toEqual(own);
  await runner.run(agent, 'go');
  await bareRunner().run(agent, 'go');
  expect(told()).toHaveLength(after);
});

test('hooked twice, or hooked inside a hooked run, every turn is told once', async () => {
  const { runtime, told, of } = watched();
  const twice = withAuditor(withAuditor(bareRunner(), runtime), runtime);
  await twice.run(replying('boss', 'done'), 'go');
  expect(told()).toEqual(['user, user: go', 'boss, agent: done']);
  const solve = withAuditor(async (task: string) => twice.run(replying('boss', 'done'), task), runtime);
  await solve('on');
  expect(told().slice(2)).toEqual(['user, user: on', 'boss, agent: done']);
  expect(of('run')).toHaveLength(2);
});

test('runs of one twin beside one another are runs of their own, and one’s alarm is not the other’s', async () => {
  const { runtime, of, outcomes } = watched({ auditor: strict() });
  const runner = withAuditor(bareRunner(), runtime);
  const [good, bad] = await Promise.all([
    runner.run(replying('good', 'done'), 'go'),
    errorOf(runner.run(replying('bad', 'wrong'), 'go')),
  ]);
  expect(good.finalOutput).toBe('done');
  expect(bad).toBeInstanceOf(AuditHalt);
  expect(of('run')).toHaveLength(2);
  expect(outcomes().toSorted()).toEqual(['completed', 'halted']);
});

test('a model that cannot be hooked is reported, and its run goes on unjudged', async () => {
  const { runtime, faults } = watched();
  const model = Object.freeze({
    getResponse: async () => ({ output: says('done'), usage: {} as never }),
    getStreamedResponse: () => {
      throw new Error('no streams');
    },
  });
  await withAuditor(bareRunner(), runtime).run(new Agent({ name: 'ice', model: model as never }), 'go');
  expect(faults.map(({ code }) => code)).toContain('agent-not-hooked');
});
