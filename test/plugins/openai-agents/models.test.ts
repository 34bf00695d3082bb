import { setTimeout as pause } from 'node:timers/promises';
import * as agents from '@openai/agents';
import { Agent, type Model, Runner, retryPolicies, tool, Usage } from '@openai/agents';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, strict, watched } from './audited.js';
import { calls, ReplyingModel, says } from './replying-model.js';

/** A model that is no more than closures, as a function of the user's may make them. */
const closures = (text: string): Model => ({
  getResponse: async () => ({ output: says(text), usage: new Usage() }),
  async *getStreamedResponse() {
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield { type: 'response_done', response: { id: 'response', usage, output: says(text) } };
  },
});

/** A model all of whose methods are made up when they are asked for. */
const ghost = () => new Proxy(closures(''), { get: (_, name) => Reflect.get(closures('unseen'), name) });

test('a provider that makes its models anew each time, and promises them, is heard each time', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  const modelProvider = {
    // biome-ignore lint/suspicious/noThenProperty: what the SDK awaits need not be a Promise.
    getModel: (name = '') => ({ then: (done: (model: Model) => void) => done(closures(name)) }) as never,
  };
  const runner = withAuditor(new Runner({ tracingDisabled: true, modelProvider }), runtime);
  await runner.run(new Agent({ name: 'a', model: 'fine' }), 'go');
  expect(await errorOf(runner.run(new Agent({ name: 'b', model: 'wrong' }), 'go'))).toBeInstanceOf(AuditHalt);
  expect(told()).toEqual(['user, user: go', 'a, agent: fine', 'user, user: go', 'b, agent: wrong']);
});

test('a model whose methods are replaced after it was hooked is heard all the same', async () => {
  const { runtime } = watched({ auditor: strict() });
  const agent = replying('boss', 'fine');
  const runner = withAuditor(bareRunner(), runtime);
  await runner.run(agent, 'go');
  Object.assign(agent.model as object, closures('wrong'));
  expect(await errorOf(runner.run(agent, 'go'))).toBeInstanceOf(AuditHalt);
});

test('a model that audited and bare runs share at once tells of the audited ones alone', async () => {
  const { runtime, told, of } = watched();
  const agent = replying('boss', async ({ input }) => {
    await pause(10);
    return says(JSON.stringify(input).includes('audited') ? 'seen' : 'unseen');
  });
  const bare = bareRunner();
  const twin = withAuditor(bare, runtime);
  await Promise.all([bare.run(agent, 'bare'), twin.run(agent, 'audited'), bare.run(agent, 'bare')]);
  expect(told()).toEqual(['user, user: audited', 'boss, agent: seen']);
  expect(of('run')).toHaveLength(1);
});

test('what a tool asks the model for itself is no turn of the agent’s, and hides no turn of its', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  const model = new ReplyingModel((request) => {
    if (request.systemInstructions === 'sum up') return says('a wrong summary');
    return isAnswered(request) ? says('done') : [...calls('sum'), ...calls('look')];
  });
  const sum = tool({
    name: 'sum',
    description: 'sums up',
    parameters: z.object({}),
    execute: async () => {
      const own = { systemInstructions: 'sum up', input: 'all', modelSettings: {}, tools: [], handoffs: [] };
      const { output } = await model.getResponse({ ...own, outputType: 'text', tracing: false });
      return `${output.length} line`;
    },
  });
  const agent = new Agent({ name: 'boss', model, tools: [sum, noting([], 'look')] });
  await withAuditor(bareRunner(), runtime).run(agent, 'go');
  expect(told()).toEqual([
    'user, user: go',
    'boss, agent: ',
    'boss, tool: 1 line',
    'boss, tool: look done',
    'boss, agent: done',
  ]);
});

test('an answer that came too late for the SDK is no turn', async () => {
  const { runtime, told } = watched();
  const late = async (_request: unknown, asked: number) => {
    if (asked === 0) await pause(60);
    return says(asked === 0 ? 'late' : 'in time');
  };
  const retry = { maxRetries: 1, policy: () => true, backoff: { initialDelayMs: 1 } };
  const agent = replying('boss', late, { modelSettings: { timeoutMs: 30, retry } });
  // Or else the SDK does not dare to ask again.
  Object.assign(agent.model as object, { getRetryAdvice: () => ({ suggested: true, replaySafety: 'safe' }) });
  const { finalOutput } = await withAuditor(bareRunner(), runtime).run(agent, 'go');
  // Before 0.16 the SDK knows no timeouts, and takes what is late.
  expect(finalOutput).toBe('ModelTimeoutError' in agents ? 'in time' : 'late');
  expect(told()).toEqual(['user, user: go', `boss, agent: ${finalOutput}`]);
});

test('a request that failed and was made again is one turn, and what it follows is told once', async () => {
  const { runtime, told } = watched();
  const retry = { maxRetries: 2, policy: retryPolicies.httpStatus([503]), backoff: { initialDelayMs: 1 } };
  const agent = replying(
    'boss',
    (request, asked) => {
      if (asked === 1) throw Object.assign(new Error('busy'), { status: 503 });
      return isAnswered(request) ? says('done') : calls('look');
    },
    { tools: [noting([], 'look')], modelSettings: { retry } },
  );
  await withAuditor(bareRunner(), runtime).run(agent, 'go');
  expect(told()).toEqual(['user, user: go', 'boss, agent: ', 'boss, tool: look done', 'boss, agent: done']);
});

test('a frozen model that inherits its methods is heard; one that is frozen itself, or answers in a Proxy’s stead, is reported', async () => {
  const { runtime, faults, told } = watched();
  const runner = withAuditor(bareRunner(), runtime);
  await runner.run(new Agent({ name: 'a', model: Object.freeze(Object.create(closures('seen'))) }), 'go');
  expect(faults).toEqual([]);
  await runner.run(new Agent({ name: 'b', model: ghost() }), 'go');
  await runner.run(new Agent({ name: 'c', model: Object.freeze(closures('unseen')) }), 'go');
  expect(told()).toEqual(['user, user: go', 'a, agent: seen']);
  expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(['agent-not-hooked']));
  expect(faults.map(({ message }) => message).join()).toContain('of b');
});

test('a frozen model that a handoff brings in is reported, though others were heard', async () => {
  const { runtime, faults } = watched();
  const clerk = new Agent({ name: 'clerk', model: ghost() });
  const boss = replying('boss', () => calls('transfer_to_clerk'), { handoffs: [clerk] });
  await withAuditor(bareRunner(), runtime).run(boss, 'go');
  expect(faults.map(({ code, message }) => [code, message.includes('clerk')])).toEqual([
    ['agent-not-hooked', true],
  ]);
});
