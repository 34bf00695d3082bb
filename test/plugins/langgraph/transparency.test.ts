import { AIMessage } from '@langchain/core/messages';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
  type StreamMode,
} from '@langchain/langgraph';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { createRuntime } from '../../../core/index.js';
import { approvingAuditor } from '../../../core/testing/index.js';
import { type LangGraphHost, withAuditor } from '../../../plugins/langgraph/index.js';
import { plainGraph, soloAgent, supervisor, task, teams } from '../../support/langgraph-teams.js';
import { drained, normalised } from '../../support/normalised.js';

const STREAM_MODES: StreamMode[] = [
  'values',
  'updates',
  'messages',
  'custom',
  'debug',
  'tasks',
  'checkpoints',
  'tools',
];

function approved<Host extends LangGraphHost>(graph: Host): Host {
  return withAuditor(graph, createRuntime({ auditor: approvingAuditor() }));
}

async function errorOf(run: () => Promise<unknown>): Promise<unknown> {
  return run().then(
    () => undefined,
    (error: unknown) => error,
  );
}

const config = () => ({ configurable: { thread_id: '1' } });

describe.each(Object.keys(teams) as (keyof typeof teams)[])('%s, with every verdict Continue', (team) => {
  test('the result equals the bare graph’s', async () => {
    const bare = await teams[team]({ ran: [] }).invoke(task);
    const hooked = await approved(teams[team]({ ran: [] })).invoke(task);
    expect(normalised(hooked)).toEqual(normalised(bare));
  });

  test.each(STREAM_MODES)('stream mode %s: the chunks equal the bare graph’s', async (streamMode) => {
    const options = { ...config(), streamMode, subgraphs: true };
    const bare = await drained(
      teams[team]({ ran: [], checkpointer: new MemorySaver() }).stream(task, options),
    );
    const hooked = await drained(
      approved(teams[team]({ ran: [], checkpointer: new MemorySaver() })).stream(task, options),
    );
    expect(normalised(hooked)).toEqual(normalised(bare));
  });

  test('the saved history equals the bare graph’s', async () => {
    const history = async (graph: ReturnType<typeof plainGraph>) => {
      await graph.invoke(task, config());
      const states: unknown[] = [];
      for await (const { values, next } of graph.getStateHistory(config())) states.push({ values, next });
      return normalised(states);
    };
    // The teams differ in what their state holds, not in how it is read back.
    const build = () =>
      teams[team]({ ran: [], checkpointer: new MemorySaver() }) as unknown as ReturnType<typeof plainGraph>;
    expect(await history(approved(build()))).toEqual(await history(build()));
  });
});

const State = Annotation.Root({
  items: Annotation<string[]>({ reducer: (one, two) => one.concat(two), default: () => [] }),
  plan: Annotation<string>,
});

function fanOut() {
  return new StateGraph(State)
    .addNode('planner', async () => ({ plan: 'a,b,c' }))
    .addNode('worker', async ({ plan }: { plan: string }) => ({ items: [`did ${plan}`] }))
    .addNode('join', async ({ items }) => ({ plan: items.join('; ') }))
    .addEdge(START, 'planner')
    .addConditionalEdges(
      'planner',
      ({ plan }) => plan.split(',').map((part) => new Send('worker', { plan: part })),
      ['worker'],
    )
    .addEdge('worker', 'join')
    .addEdge('join', END)
    .compile();
}

test('a fan-out keeps its results in order', async () => {
  expect(await approved(fanOut()).invoke({ plan: '' })).toEqual(await fanOut().invoke({ plan: '' }));
});

test('a node’s error reaches the caller as the very object it threw', async () => {
  const fault = Object.assign(new TypeError('the node broke'), { code: 42 });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('breaks', async () => {
      throw fault;
    })
    .addEdge(START, 'breaks')
    .compile();
  expect(await errorOf(() => approved(graph).invoke(task))).toBe(fault);
});

test('the recursion limit, and an abort by the caller, say what they say without us', async () => {
  const limit = { recursionLimit: 2 };
  const [bare, hooked] = [
    await errorOf(() => plainGraph({ ran: [] }).invoke(task, limit)),
    await errorOf(() => approved(plainGraph({ ran: [] })).invoke(task, limit)),
  ] as Error[];
  expect([hooked?.name, hooked?.message]).toEqual([bare?.name, bare?.message]);

  const abort = async (hook: <G extends LangGraphHost>(graph: G) => G) => {
    const controller = new AbortController();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('slow', async () => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { messages: [new AIMessage('late')] };
      })
      .addEdge(START, 'slow')
      .addEdge('slow', END)
      .compile();
    return (await errorOf(() => hook(graph).invoke(task, { signal: controller.signal }))) as Error;
  };
  const [abortedBare, abortedHooked] = [await abort((graph) => graph), await abort(approved)];
  expect([abortedHooked.name, abortedHooked.message]).toEqual([abortedBare.name, abortedBare.message]);
});

test('a graph that asks a human stops and goes on as without us', async () => {
  const asking = () =>
    new StateGraph(MessagesAnnotation)
      .addNode('ask', async () => ({
        messages: [new AIMessage({ id: 'a', content: `human said ${interrupt('ok?')}` })],
      }))
      .addNode('after', async () => ({ messages: [new AIMessage({ id: 'b', content: 'after' })] }))
      .addEdge(START, 'ask')
      .addEdge('ask', 'after')
      .addEdge('after', END)
      .compile({ checkpointer: new MemorySaver() });
  const run = async (graph: ReturnType<typeof asking>) => {
    const paused = await graph.invoke(task, config());
    const resumed = await graph.invoke(new Command({ resume: 'yes' }), config());
    return normalised([paused, resumed]);
  };
  expect(await run(approved(asking()))).toEqual(await run(asking()));
});

test('the user’s own callbacks fire as before', async () => {
  const seen: Record<string, string[]> = { bare: [], hooked: [] };
  const callbacks = (into: string[]) => ({
    callbacks: [
      { handleChainStart: (...args: unknown[]) => void into.push(String(args[7])), awaitHandlers: true },
    ],
  });
  await plainGraph({ ran: [] }).invoke(task, callbacks(seen['bare'] as string[]));
  await approved(plainGraph({ ran: [] })).invoke(task, callbacks(seen['hooked'] as string[]));
  expect(seen['hooked']).toEqual(seen['bare']);
});

test('the hooked graph is of the bare graph’s type, and the bare graph is left as it was', async () => {
  const graph = plainGraph({ ran: [] });
  expectTypeOf(approved(graph)).toEqualTypeOf(graph);
  const agent = soloAgent({ ran: [] });
  expectTypeOf(approved(agent)).toEqualTypeOf(agent);
  const team = supervisor({ ran: [] });
  expectTypeOf(approved(team)).toEqualTypeOf(team);
  const auditor = approvingAuditor();
  withAuditor(graph, createRuntime({ auditor }));
  await graph.invoke(task);
  expect(auditor.requests).toEqual([]);
});
