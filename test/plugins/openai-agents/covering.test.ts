import {
  Agent,
  MemorySession,
  OutputGuardrailTripwireTriggered,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  AuditHalt,
  createRuntime,
  everyTurn,
  memoryRecorder,
  type RuntimeOptions,
} from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { strict } from '../../support/agent-runs.js';
import { assistantMessage, functionCall, ScriptedModel } from './scripted-model.js';

setTracingDisabled(true);

const speaker = (name: string, ...lines: string[]) =>
  new Agent({ name, model: new ScriptedModel(lines.map((line) => [assistantMessage(line)])) });

function audits(options: RuntimeOptions = {}) {
  const recorder = memoryRecorder();
  const runtime = createRuntime({
    recorder,
    auditor: strict(),
    diagnostics: { report: () => {} },
    ...options,
  });
  const turns = () => recorder.records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
  const ends = () =>
    recorder.records.flatMap((record) => (record.type === 'close' ? [record.outcome.status] : []));
  const told = () =>
    turns().map(({ agent, content, given }) => `${given ? '(given) ' : ''}${agent}: ${content}`);
  return { runtime, turns, ends, told, bare: new Runner({ tracingDisabled: true }) };
}

test('a session’s history is given, the newest word is the task', async () => {
  const { runtime, bare, told } = audits();
  const runner = withAuditor(bare, runtime);
  const session = new MemorySession();
  const agent = speaker('solver', 'one', 'two');
  await runner.run(agent, 'first', { session });
  await runner.run(agent, 'second', { session });
  expect(
    told()
      .slice(2)
      .map((turn) => turn.replace('(given) ', '')),
  ).toEqual(['user: first', 'assistant: one', 'user: second', 'solver: two']);
});

test('all agents of a function are one run; a wrapped halt is still a halt', async () => {
  const { runtime, bare, ends, told } = audits();
  const cause = new Error('it broke');
  const solve = withAuditor(async (task: string) => {
    try {
      await bare.run(speaker('planner', 'plan'), task);
      await bare.run(speaker('solver', 'wrong'), task);
    } catch {
      throw cause;
    }
  }, runtime);
  const halt = await solve('task').catch((error: unknown) => error);
  expect(halt).toBeInstanceOf(AuditHalt);
  expect((halt as Error).cause).toBe(cause);
  expect(told()).toEqual(
    ['user: task', 'planner: plan', 'solver: wrong'].map((turn, at) =>
      at === 0 ? expect.stringContaining(turn) : turn,
    ),
  );
  expect(ends()).toEqual(['halted']);
});

test('a stream that a function returns ends the run when it ends', async () => {
  const { runtime, bare, ends } = audits();
  const start = withAuditor(
    (task: string, line: string) => bare.run(speaker('solver', line), task, { stream: true }),
    runtime,
  );
  const fine = await start('task', 'fine');
  expect(ends()).toEqual([]);
  await fine.completed;
  expect([fine.finalOutput, ends()]).toEqual(['fine', ['completed']]);
  const wrong = await start('task', 'wrong');
  await expect(wrong.completed).rejects.toBeInstanceOf(AuditHalt);
  expect([wrong.finalOutput, ends()]).toEqual([undefined, ['completed', 'halted']]);
});

test('the caller’s abort ends the wait for a verdict', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const auditor = {
    ...strict(),
    audit: () => {
      resolve();
      return new Promise<never>(() => {});
    },
  };
  const { runtime, bare, ends } = audits({ auditor: auditor as never, deadlineMs: 500 });
  const controller = new AbortController();
  const run = withAuditor(bare, runtime).run(speaker('solver', 'fine'), 'task', {
    signal: controller.signal,
  });
  await promise;
  controller.abort();
  const left = performance.now();
  await expect(run).rejects.toThrow();
  expect(performance.now() - left).toBeLessThan(250);
  await vi.waitFor(() => expect(ends()).toEqual(['aborted']));
});

test('the user’s guardrails, filters, limits and structured output work as in the bare runner', async () => {
  const { runtime, bare, ends, turns } = audits();
  const runner = withAuditor(bare, runtime);
  const execute = async () => ({ tripwireTriggered: true, outputInfo: {} });
  const guarded = speaker('solver', 'fine').clone({ outputGuardrails: [{ name: 'no', execute }] });
  await expect(runner.run(guarded, 'task')).rejects.toBeInstanceOf(OutputGuardrailTripwireTriggered);
  await expect(runner.run(speaker('solver', 'fine'), 'task', { maxTurns: 0 })).rejects.toThrow('Max turns');
  const shaped = speaker('solver', '{"sum":40}').clone({
    outputType: z.object({ sum: z.number() }) as never,
  });
  expect((await runner.run(shaped, 'task')).finalOutput).toEqual({ sum: 40 });
  const callModelInputFilter = ({ modelData }: { modelData: { input: never[] } }) => ({
    ...modelData,
    input: [{ role: 'user', content: 'filtered' }],
  });
  await runner.run(speaker('solver', 'fine'), 'task', {
    callModelInputFilter: callModelInputFilter as never,
  });
  expect(turns().at(-2)?.content).toBe('filtered');
  expect(ends()).toEqual(['failed', 'completed', 'completed']); // no model was asked within maxTurns: 0
});

test('under overlap the next model call runs before the verdict, a tool does not', async () => {
  const order: string[] = [];
  const auditor = {
    ...strict(),
    audit: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('verdict');
      return { kind: 'continue' };
    },
  };
  const { runtime, bare } = audits({
    auditor: auditor as never,
    gating: 'overlap',
    schedule: everyTurn(),
  });
  const look = tool({
    name: 'look',
    description: 'looks',
    parameters: z.object({}),
    execute: async () => {
      order.push('tool');
      return 'seen';
    },
  });
  const scripted = new ScriptedModel([
    [functionCall('look', {}, { callId: 'c' })],
    [assistantMessage('fine')],
  ]);
  const asked = {
    getResponse: (request: never) => {
      order.push('model');
      return scripted.getResponse(request);
    },
  };
  const agent = new Agent({
    name: 'solver',
    tools: [look],
    model: Object.assign(Object.create(scripted), asked),
  });
  await withAuditor(bare, runtime).run(agent, 'task');
  expect(order.slice(0, 4)).toEqual(['model', 'verdict', 'tool', 'model']);
});
