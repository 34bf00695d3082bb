import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { expect, test, vi } from 'vitest';
import { createRuntime, type Runtime } from '../../../core/index.js';
import { approvingAuditor, ScriptedAuditor } from '../../../core/testing/index.js';
import type { EarlierRun } from '../../../plugins/langgraph/earlier-run.js';
import { AuditHook } from '../../../plugins/langgraph/hook.js';
import { RunTree } from '../../../plugins/langgraph/run-tree.js';
import { ThreadRuns } from '../../../plugins/langgraph/thread-runs.js';
import { inARow, input, pause, saying } from '../../support/graphs.js';
import type { plainGraph } from '../../support/langgraph-teams.js';
import { task, teams } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

/** A hooked team, and how much is still remembered of its runs. */
function hooked(team: keyof typeof teams, runtime: Runtime) {
  const tree = new RunTree({ report: () => {} });
  const graph = teams[team]({ ran: [] }).withConfig({ callbacks: [new AuditHook(runtime, [], tree)] });
  const remembered = () => tree.size;
  // The teams differ in state, not in how they are called.
  return { graph: graph as unknown as ReturnType<typeof plainGraph>, remembered };
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
  return { app: graph.withConfig({ callbacks: [new AuditHook(runtime, [], tree)] }) as Graph, tree };
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
  const run = (runId: string) => ({ runId }) as EarlierRun;
  for (let thread = 0; thread < 256; thread++) threads.set(`${thread}`, run(`${thread}`));
  threads.set('0', run('again'));
  threads.set('256', run('256'));
  expect([threads.get('0')?.runId, threads.get('1'), threads.get('2')?.runId]).toEqual([
    'again',
    undefined,
    '2',
  ]);
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
