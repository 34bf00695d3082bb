import { Agent, handoff, Runner, RunState, setTracingDisabled, tool } from '@openai/agents';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt, createRuntime, memoryRecorder, type RuntimeOptions } from '../../../core/index.js';
import { AuditorTripwireTriggered, withAuditor } from '../../../plugins/openai-agents/index.js';
import { strict } from '../../support/agent-runs.js';
import {
  assistantMessage,
  functionCall,
  modelError,
  ScriptedModel,
  type ScriptedModelInput,
} from './scripted-model.js';

setTracingDisabled(true);

const model = (...steps: ScriptedModelInput[]) => new ScriptedModel(steps);
const says = (text: string) => [assistantMessage(text)];
const calls = (name: string, callId = 'c1', args = {}) => [functionCall(name, args, { callId })];
const ran: string[] = [];
const add = tool({
  name: 'add',
  description: 'Adds',
  parameters: z.object({}),
  execute: async () => {
    ran.push('add');
    return '40';
  },
});
const careful = tool({ ...base('careful'), needsApproval: true });
function noted(name: string, answer: string) {
  ran.push(name);
  return answer;
}
function base(name: string, answer = 'done') {
  return { name, description: name, parameters: z.object({}), execute: async () => noted(name, answer) };
}

function hooked(options: RuntimeOptions = {}) {
  ran.length = 0;
  const recorder = memoryRecorder();
  const faults: string[] = [];
  const runtime = createRuntime({
    recorder,
    auditor: strict(),
    diagnostics: { report: ({ code, message }) => faults.push(`${code}: ${message}`) },
    ...options,
  });
  const runner = withAuditor(new Runner({ tracingDisabled: true }), runtime);
  const turns = () => recorder.records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
  const told = () => turns().map(({ agent, kind, content }) => `${agent} ${kind} ${content}`);
  const ends = () =>
    recorder.records.flatMap((record) => (record.type === 'close' ? [record.outcome.status] : []));
  return { runner, runtime, turns, told, ends, faults };
}

async function haltOf(run: Promise<unknown>): Promise<AuditorTripwireTriggered> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AuditHalt);
  expect(error).toBeInstanceOf(AuditorTripwireTriggered);
  return error as AuditorTripwireTriggered;
}

test('the twin is a runner, and has its type; the runner stays bare', async () => {
  const bare = new Runner({ tracingDisabled: true });
  const { runtime, told } = hooked();
  const twin = withAuditor(bare, runtime);
  expectTypeOf(twin).toEqualTypeOf<Runner>();
  expect(twin).toBeInstanceOf(Runner);
  await bare.run(new Agent({ name: 'solver', model: model(says('wrong')) }), 'task');
  expect(told()).toEqual([]);
});

test('a function keeps its type, generics included', async () => {
  const identity = async <T>(value: T): Promise<T> => value;
  const twin: typeof identity = withAuditor(identity, hooked().runtime);
  expectTypeOf(await twin(17)).toEqualTypeOf<number>();
});

test('a handoff names whom control passes to, and its result is the issuer’s', async () => {
  const { runner, turns, told } = hooked();
  const billing = new Agent({ name: 'Billing', model: model(says('paid')) });
  const named = handoff(billing, { toolNameOverride: 'pass_on' });
  const triage = new Agent({ name: 'Triage', model: model(calls('pass_on')), handoffs: [named] });
  await runner.run(triage, 'pay');
  expect(told()).toEqual([
    'user user pay',
    'Triage agent ',
    'Triage tool {"assistant":"Billing"}',
    'Billing agent paid',
  ]);
  expect(turns()[1]?.handoffTo).toBe('Billing');
});

describe.each([false, true])('stream: %s', (stream) => {
  async function play(runner: Runner, agent: Agent, input: string | RunState<unknown, Agent> = 'task') {
    if (!stream) return runner.run(agent, input);
    const result = await runner.run(agent, input, { stream: true });
    try {
      await result.completed;
    } catch (error) {
      expect(result.finalOutput).toBeUndefined();
      await expect(Array.fromAsync(result)).rejects.toBe(error);
      throw error;
    }
    return result;
  }

  test('a wrong call halts before its tool; the state overrides it, and the model is not asked again', async () => {
    const { runner, told, ends } = hooked();
    const scripted = model(
      [assistantMessage('wrong'), functionCall('add', {}, { callId: 'c1' })],
      says('fine'),
    );
    const agent = new Agent({ name: 'solver', model: scripted, tools: [add] });
    const halt = await haltOf(play(runner, agent));
    expect(halt.result).toEqual({ step: 1, agent: 'solver', reason: 'it is wrong' });
    expect(ran).toEqual([]);
    const result = await play(runner, agent, halt.state as RunState<unknown, Agent>);
    expect(result.finalOutput).toBe('fine');
    expect(ran).toEqual(['add']);
    expect(scripted.calls.length).toBe(2);
    expect(told()).toEqual(['user user task', 'solver agent wrong', 'solver tool 40', 'solver agent fine']);
    expect(ends()).toEqual(['halted', 'completed']);
  });

  test('an alarm two agents down halts the root, and nobody is asked again', async () => {
    const { runner, told } = hooked();
    const scout = new Agent({ name: 'scout', model: model(says('wrong')) });
    const chiefs = model(calls('scout', 'c2', { input: 'go' }));
    const chief = new Agent({ name: 'chief', model: chiefs, tools: [scout.asTool({ toolName: 'scout' })] });
    const bosses = model(calls('chief', 'c1', { input: 'go' }));
    const boss = new Agent({ name: 'boss', model: bosses, tools: [chief.asTool({ toolName: 'chief' })] });
    const halt = await haltOf(play(runner, boss));
    expect(halt.result.agent).toBe('scout');
    expect([chiefs.calls.length, bosses.calls.length]).toEqual([1, 1]);
    expect(told().slice(0, 4)).toEqual([
      'user user task',
      'boss agent ',
      'chief agent ',
      'scout agent wrong',
    ]);
  });

  test('a tool’s result that ends the run is judged before the run returns', async () => {
    const { runner } = hooked();
    const stop = tool(base('last', 'wrong'));
    const agent = new Agent({
      name: 'solver',
      model: model(calls('last')),
      tools: [stop],
      toolUseBehavior: 'stop_on_first_tool',
    });
    expect((await haltOf(play(runner, agent))).alarm?.step).toBe(2);
  });

  test('a retry policy does not ask for what was halted', async () => {
    const { runner } = hooked();
    const scripted = model(says('wrong'), says('wrong'));
    const policy = vi.fn(() => true);
    const retry = { maxRetries: 3, policy, backoff: { initialDelayMs: 1 } };
    await haltOf(play(runner, new Agent({ name: 'solver', model: scripted, modelSettings: { retry } })));
    expect(scripted.calls.length).toBe(1);
    expect(policy.mock.calls.length).toBeLessThanOrEqual(1);
  });

  test('an approval interrupts the run; it is taken up in this process and in a new one', async () => {
    for (const isNew of [false, true]) {
      const { runner, told, ends, turns } = hooked();
      const agent = new Agent({
        name: 'solver',
        model: model(calls('careful'), says('fine')),
        tools: [careful],
      });
      const first = await play(runner, agent);
      const state = isNew ? await RunState.fromString(agent, first.state.toString()) : first.state;
      const [asked] = state.getInterruptions();
      state.approve(asked as never);
      await play(runner, agent, state as RunState<unknown, Agent>);
      expect(ends()).toEqual(['interrupted', 'completed']);
      expect(told().slice(-2)).toEqual(['solver tool done', 'solver agent fine']);
      expect(turns().at(-2)?.toolName).toBe('careful');
      expect(turns().filter(({ kind, given }) => kind === 'tool' && !given).length).toBe(1);
    }
  });
});

test('parallel agents in tools are judged each by its own past', async () => {
  const { runner, told } = hooked();
  const one = new Agent({ name: 'one', model: model(says('1')) });
  const two = new Agent({ name: 'two', model: model(says('2')) });
  const both = [
    functionCall('one', { input: 'x' }, { callId: 'a' }),
    functionCall('two', { input: 'x' }, { callId: 'b' }),
  ];
  const tools = [one.asTool({ toolName: 'one' }), two.asTool({ toolName: 'two' })];
  await runner.run(new Agent({ name: 'boss', model: model(both, says('done')), tools }), 'task');
  expect(told()).toEqual([
    'user user task',
    'boss agent ',
    'one agent 1',
    'two agent 2',
    'boss tool 1',
    'boss tool 2',
    'boss agent done',
  ]);
});

test('a recovery asks the model again, with the reason', async () => {
  const { runner, ends } = hooked({ onAlarm: 'recover' });
  const scripted = model(says('wrong'), says('right'));
  const result = await runner.run(new Agent({ name: 'solver', model: scripted }), 'task');
  expect(result.finalOutput).toBe('right');
  expect(JSON.stringify(scripted.calls[1]?.request.input)).toContain('it is wrong');
  expect(ends()).toEqual(['halted', 'completed']);
});

test('a model that fails reaches the caller with its very error', async () => {
  const { runner, ends, told } = hooked();
  const error = new Error('no network');
  await expect(
    runner.run(new Agent({ name: 'solver', model: model(modelError(error)) }), 'task'),
  ).rejects.toBe(error);
  expect([ends(), told()]).toEqual([['failed'], ['user user task']]);
});

test('an agent or a realtime session is no host', () => {
  const { runtime } = hooked();
  expect(() => withAuditor(new Agent({ name: 'solver' }) as never, runtime)).toThrow('this is an agent');
  expect(() => withAuditor({ transport: {} } as never, runtime)).toThrow('realtime');
});
