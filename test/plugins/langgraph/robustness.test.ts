import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { RemoteGraph } from '@langchain/langgraph/remote';
import { type AgentMiddleware, createAgent, toolRetryMiddleware } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt, createRuntime, type Diagnostic } from '../../../core/index.js';
import { proceed, ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input, pause, watching, wrongSpotter } from '../../support/graphs.js';
import { scriptedModel } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const odd = (fields: Record<string, unknown>): BaseMessage =>
  Object.assign(new AIMessage('an odd one'), fields);

async function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  await pause(milliseconds);
  return value;
}

const circular: Record<string, unknown> = { type: 'text', text: 'round' };
circular['self'] = circular;

describe('odd messages never reach the host as our fault', () => {
  test.each<[string, () => BaseMessage[]]>([
    ['additional_kwargs null', () => [odd({ additional_kwargs: null })]],
    ['additional_kwargs undefined', () => [odd({ additional_kwargs: undefined })]],
    ['a null among the calls', () => [odd({ tool_calls: [null] })]],
    ['invalid calls that are none', () => [odd({ invalid_tool_calls: [undefined] })]],
    ['an infinite usage', () => [odd({ usage_metadata: { input_tokens: Number.POSITIVE_INFINITY } })]],
    ['a name that is no text', () => [odd({ name: 42 })]],
    ['circular content', () => [odd({ content: [circular] }), odd({ content: [circular] })]],
    ['a bigint in the content', () => [odd({ content: [{ type: 'text', text: 'n', n: 12n }] })]],
  ])('%s', async (_what, messages) => {
    const told: Diagnostic[] = [];
    const { runtime, turns } = watching({
      diagnostics: { report: (diagnostic) => void told.push(diagnostic) },
    });
    const graph = inARow({ odd: messages, after: () => 'after' });
    const bare = await graph.invoke(input).catch((error: unknown) => error);
    const hooked = await withAuditor(inARow({ odd: messages, after: () => 'after' }), runtime)
      .invoke(input)
      .catch((error: unknown) => error);
    expect(hooked instanceof Error).toBe(bare instanceof Error);
    expect(turns().map(({ agent, kind }) => `${agent} ${kind}`)).toEqual([
      'user user',
      ...messages().map(() => 'odd agent'),
      'after agent',
    ]);
    expect(told).toEqual([]);
  });

  test('a getter that throws costs the turn its verdict, and a failure is recorded', async () => {
    const told: string[] = [];
    const { runtime, recorder } = watching({ diagnostics: { report: ({ code }) => void told.push(code) } });
    const refuse = () => {
      throw new Error('no calls for you');
    };
    const hostile = () => [Object.defineProperty(odd({}), 'tool_calls', { get: refuse })];
    const bare = await inARow({ odd: hostile, after: () => 'after' })
      .invoke(input)
      .catch(() => 'failed');
    const result = await withAuditor(inARow({ odd: hostile, after: () => 'after' }), runtime)
      .invoke(input)
      .catch(() => 'failed');
    expect(typeof result).toBe(typeof bare);
    expect(recorder.records.filter((record) => record.type === 'failure')).toMatchObject([
      { failure: { kind: 'turn' } },
    ]);
    expect(told).toEqual(['audit-failure-turn']);
  });

  test.each([[null], [Object.create(null)], ['a text'], [undefined]])(
    'a node that throws %j',
    async (thrown) => {
      const throwing = () =>
        inARow({
          breaks: () => {
            throw thrown;
          },
        });
      const { runtime } = watching({ diagnostics: { report: () => {} } });
      const outcome = (graph: ReturnType<typeof inARow>) =>
        graph.invoke(input).then(
          () => 'returned',
          (error: unknown) => (error instanceof Error ? error.message : error),
        );
      expect(await outcome(withAuditor(throwing(), runtime))).toEqual(await outcome(throwing()));
    },
  );
});

describe('when the caller aborts', () => {
  test.each([
    ['hangs', () => new Promise(() => {})],
    ['comes later', () => after(120, proceed)],
  ])('while a verdict %s: the run ends at once, and nothing starts afterwards', async (_what, reply) => {
    const ran: string[] = [];
    const controller = new AbortController();
    const graph = withAuditor(
      inARow({
        plan: () => `planned ${ran.push('plan')}`,
        solve: () => `solved ${ran.push('solve')}`,
      }),
      createRuntime({
        auditor: new ScriptedAuditor([], reply),
        deadlineMs: 400,
        diagnostics: { report: () => {} },
      }),
    );
    setTimeout(() => controller.abort(), 40);
    const started = performance.now();
    await expect(graph.invoke(input, { signal: controller.signal })).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(300);
    await pause(500);
    expect(ran).toEqual(['plan']);
  });
});

describe('a halt that is swallowed or wrapped', () => {
  test('an error that wraps the halt of an inner agent: the run still rejects with the halt', async () => {
    const graph = inARow({
      outer: async () => {
        await inARow({ solo: () => 'WRONG' })
          .invoke(input)
          .catch((cause: unknown) => {
            throw new Error('agent failed', { cause });
          });
        return 'done';
      },
    });
    const error = await withAuditor(graph, createRuntime({ auditor: wrongSpotter() }))
      .invoke(input)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AuditHalt);
    expect((error as AuditHalt).cause).toMatchObject({ message: 'agent failed' });
  });

  test('retrying tool middleware swallows it: the tool does not run again, and the next node is halted', async () => {
    const ran: string[] = [];
    const research = tool(
      async () => {
        ran.push('tool');
        await inARow({ inner: () => 'WRONG' }).invoke(input);
        return 'found';
      },
      { name: 'research', description: 'Researches', schema: z.object({}) },
    );
    // Its published type does not hold under exactOptionalPropertyTypes.
    const retries = toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 });
    const agent = createAgent({
      model: scriptedModel('boss', ran, [{ call: { name: 'research' } }, 'done']),
      tools: [research],
      middleware: [retries as unknown as AgentMiddleware],
      name: 'boss',
    });
    const halted = withAuditor(agent, createRuntime({ auditor: wrongSpotter() }));
    await expect(halted.invoke(input)).rejects.toBeInstanceOf(AuditHalt);
    expect(ran).toEqual(['model:boss', 'tool']);
  });
});

test('an inner interrupt that a node catches does not make the run an interrupted one', async () => {
  const { runtime, recorder } = watching();
  const asking = new StateGraph(MessagesAnnotation)
    .addNode('ask', async () => ({ messages: [new AIMessage(String(interrupt('ok?')))] }))
    .addEdge(START, 'ask')
    .compile({ checkpointer: new MemorySaver() });
  const graph = inARow({
    outer: async () => {
      await asking.invoke(input, { configurable: { thread_id: 'inner' } }).catch(() => undefined);
      return 'did without';
    },
  });
  await withAuditor(graph, runtime).invoke(input);
  expect(recorder.records.at(-1)).toMatchObject({ type: 'close', outcome: { status: 'completed' } });
});

test('waiting for a verdict is not the node’s time', async () => {
  const { runtime, turns } = watching({ auditor: new ScriptedAuditor([], () => after(80, proceed)) });
  await withAuditor(inARow({ plan: () => 'plan', solve: () => 'solve' }), runtime).invoke(input);
  for (const { durationMs } of turns().slice(1)) expect(durationMs).toBeLessThan(60);
});

describe('set-up faults are thrown at once', () => {
  const graph = inARow({ node: () => 'hi' });
  test.each<[string, () => unknown, RegExp]>([
    [
      'no runtime',
      () => withAuditor(graph, undefined as never),
      /second argument is no runtime\. Pass createRuntime\(\)/,
    ],
    ['the function that makes one', () => withAuditor(graph, createRuntime as never), /no runtime/],
    ['a model', () => withAuditor(scriptedModel('m', [], []) as never, createRuntime()), /this is no graph/],
    [
      'a remote graph',
      () =>
        withAuditor(new RemoteGraph({ graphId: 'x', url: 'http://127.0.0.1:9' }) as never, createRuntime()),
      /RemoteGraph runs elsewhere/,
    ],
  ])('%s', (_what, hook, message) => {
    expect(hook).toThrow(message);
  });
});

test('work that a completed run leaves behind goes on', async () => {
  const ran: string[] = [];
  const work = tool(
    async () => {
      await pause(30);
      await inARow({ inner: () => `inner ${ran.push('inner')}` }).invoke(input);
      ran.push('done');
      return 'done';
    },
    { name: 'work', description: 'Works', schema: z.object({}) },
  );
  const background: Promise<unknown>[] = [];
  const graph = inARow({
    node: () => {
      background.push(work.invoke({}));
      return 'started it';
    },
  });
  await withAuditor(graph, watching().runtime).invoke(input);
  await Promise.all(background);
  expect(ran).toEqual(['inner', 'done']);
});

test('a run id that the caller chooses again after an abort is a new run', async () => {
  const { runtime, told } = watching();
  const runId = '11111111-1111-4111-8111-111111111111';
  const slow = inARow({
    first: () => 'first',
    second: async () => `second ${await pause(15)}`,
    third: () => 'third',
  });
  const outer = inARow({ node: async () => (await slow.invoke(input, { runId })).messages.slice(-1) });
  const app = withAuditor(outer, runtime);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 8);
  await app.invoke(input, { signal: controller.signal }).catch(() => undefined);
  await pause(40);
  await app.invoke(input);
  expect(told().at(-1)).toBe('third: third');
});
