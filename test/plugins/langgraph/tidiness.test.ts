import { AIMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { expect, test, vi } from 'vitest';
import { createRuntime, type Runtime } from '../../../core/index.js';
import { approvingAuditor, ScriptedAuditor } from '../../../core/testing/index.js';
import { auditInvocations } from '../../../plugins/langgraph/audited-graph.js';
import { compiledGraphOf } from '../../../plugins/langgraph/compiled-graph.js';
import type { EarlierRun } from '../../../plugins/langgraph/earlier-run.js';
import { AuditHook } from '../../../plugins/langgraph/hook.js';
import { RunTree } from '../../../plugins/langgraph/run-tree.js';
import { ThreadRuns } from '../../../plugins/langgraph/thread-runs.js';
import { inARow, input, pause, saying } from '../../support/graphs.js';
import type { plainGraph } from '../../support/langgraph-teams.js';
import { task, teams } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

/** A hooked team, and how much is still remembered of its runs. */
function hooked(name: keyof typeof teams, runtime: Runtime) {
  // The teams differ in state, not in how they are called.
  const team = teams[name]({ ran: [] }) as unknown as ReturnType<typeof plainGraph>;
  const { app, tree } = treeOf(team, runtime);
  return { graph: app, remembered: () => tree.size };
}

test.each(Object.keys(teams) as (keyof typeof teams)[])(
  '%s: nothing of a run is kept when it is over',
  async (team) => {
    const approving = createRuntime({ auditor: approvingAuditor() });

    const completed = hooked(team, approving);
    await completed.graph.invoke(task);
    expect(completed.remembered()).toBe(0);

    const alarm = { kind: 'alarm', step: 0, agent: 'user', reason: 'wrong' };
    const halted = hooked(team, createRuntime({ auditor: new ScriptedAuditor([alarm]) }));
    await expect(halted.graph.invoke(task)).rejects.toThrow('audit alarm at step 0');
    expect(halted.remembered()).toBe(0);
  },
);

/** Hooks a graph with a tree of its own. */
function treeOf<Graph extends { withConfig(config: object): unknown }>(graph: Graph, runtime: Runtime) {
  const tree = new RunTree({ report: () => {} });
  const app = graph.withConfig({ callbacks: [new AuditHook(runtime, [], tree)] }) as Graph;
  auditInvocations(compiledGraphOf(app), { runtime, tree, agentName: undefined });
  return { app, tree };
}

const quiet = () => createRuntime({ auditor: approvingAuditor(), diagnostics: { report: () => {} } });

/** One branch fails at once while its sibling is inside a graph, of whose end LangGraph then tells nothing. */
function failingBranch() {
  const slow = inARow({ first: () => saying('slow', pause(15)), second: () => 'later' });
  return new StateGraph(MessagesAnnotation)
    .addNode('fails', async () => {
      await pause(3);
      throw new Error('broken');
    })
    .addNode('slow', slow)
    .addEdge(START, 'fails')
    .addEdge(START, 'slow')
    .compile();
}

test('nor when a branch fails while another is inside a graph', async () => {
  const { app, tree } = treeOf(failingBranch(), quiet());
  for (let run = 0; run < 5; run++) await expect(app.invoke(input)).rejects.toThrow('broken');
  await pause(40);
  expect(tree.size).toBe(0);
});

test('threads beyond the limit are forgotten, the longest untouched first', () => {
  const threads = new ThreadRuns();
  const checkpointer = new MemorySaver();
  const run = (runId: string) => ({ runId }) as EarlierRun;
  const set = (id: string, runId = id) => threads.set({ checkpointer, id }, run(runId));
  const get = (id: string) => threads.get({ checkpointer, id })?.runId;
  for (let thread = 0; thread < 256; thread++) set(`${thread}`);
  set('0', 'again');
  set('256');
  expect([get('0'), get('1'), get('2')]).toEqual(['again', undefined, '2']);
});

test('a thread of another checkpointer is another thread', () => {
  const threads = new ThreadRuns();
  threads.set({ checkpointer: new MemorySaver(), id: '1' }, { runId: 'a' } as EarlierRun);
  expect(threads.get({ checkpointer: new MemorySaver(), id: '1' })).toBeUndefined();
});

test('nodes that return their whole state cost no more than a small multiple of the bare graph', async () => {
  const loop = () =>
    new StateGraph(MessagesAnnotation)
      .addNode('speaks', async (state) => ({
        messages: [
          ...state.messages,
          new AIMessage({ content: 'word', tool_calls: [{ id: 'c', name: 't', args: { n: 1 } }] }),
        ],
      }))
      .addEdge(START, 'speaks')
      .addConditionalEdges('speaks', ({ messages }) => (messages.length < 400 ? 'speaks' : END))
      .compile();
  const cpuOf = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    await work();
    return process.cpuUsage(before).user;
  };
  const config = { recursionLimit: 1_000 };
  const plain = createRuntime({ auditor: { audit: () => ({ kind: 'continue' }) } });
  const bare = loop();
  const hooked = treeOf(loop(), plain).app;
  await hooked.invoke(input, config);
  const [without, withUs] = [
    await cpuOf(() => bare.invoke(input, config)),
    await cpuOf(() => hooked.invoke(input, config)),
  ];
  // It was nine times the bare graph when every old message was read again at every step.
  expect(withUs / without).toBeLessThan(5);
});

test('a signal that outlives its runs is not listened to afterwards', async () => {
  const { signal } = new AbortController();
  const listening = vi.spyOn(signal, 'addEventListener');
  const left = vi.spyOn(signal, 'removeEventListener');
  const { app } = treeOf(inARow({ node: () => 'said' }), quiet());
  // As LangGraph's own events (v3) do it: with the caller's signal itself.
  for await (const _chunk of compiledGraphOf(app)._streamIterator(input, { signal })) {
    // Drained to its end.
  }
  const ours = listening.mock.calls.filter(([, , options]) => (options as { once?: boolean })?.once);
  expect(ours.length).toBeGreaterThan(0);
  for (const [, listener] of ours) expect(left.mock.calls.some(([, gone]) => gone === listener)).toBe(true);
});
