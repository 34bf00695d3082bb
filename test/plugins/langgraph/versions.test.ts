import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt, createRuntime, type Runtime } from '../../../core/index.js';
import { AuditHook } from '../../../plugins/langgraph/hook.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { RunTree } from '../../../plugins/langgraph/run-tree.js';
import {
  agentKeepsCaller,
  stopsWhenStreamIsLeft,
  toolNodePassesHalt,
} from '../../support/framework-versions.js';
import { inARow, input, pause, saying, watching, wrongSpotter } from '../../support/graphs.js';
import { type plainGraph, soloAgent, task, teams } from '../../support/langgraph-teams.js';

// What the frameworks do in some of the supported versions only, and what holds in all of them.

vi.spyOn(console, 'error').mockImplementation(() => {});

describe('callbacks that the caller adds to the call', () => {
  const tracing = () => ({ callbacks: [{ handleChainStart: () => {} }] });

  test('do not take the place of ours', async () => {
    const ran: string[] = [];
    const app = withAuditor(
      inARow({ plan: () => 'WRONG', solve: () => `solved ${ran.push('solve')}` }),
      createRuntime({ auditor: wrongSpotter() }),
    );
    await expect(app.invoke(input, tracing())).rejects.toBeInstanceOf(AuditHalt);
    expect(ran).toEqual([]);
  });
});

/** A hooked graph with a tree of its own, to see what is remembered of its runs. */
function hooked<Graph extends { withConfig(config: object): unknown }>(graph: Graph, runtime: Runtime) {
  const tree = new RunTree({ report: () => {} });
  return { app: graph.withConfig({ callbacks: [new AuditHook(runtime, [], tree)] }) as Graph, tree };
}

describe('a stream that its reader leaves', () => {
  test.each(Object.keys(teams) as (keyof typeof teams)[])('%s', async (team) => {
    const whole = watching();
    await withAuditor(teams[team]({ ran: [] }), whole.runtime).invoke(task);
    const { runtime, recorder, told } = watching();
    // The teams differ in state, not in how they are called.
    const graph = teams[team]({ ran: [] }) as unknown as ReturnType<typeof plainGraph>;
    const { app, tree } = hooked(graph, runtime);
    for await (const _chunk of await app.stream(task, { streamMode: 'updates' })) break;
    const closed = () =>
      recorder.records.flatMap((record) => (record.type === 'close' ? [record.outcome.status] : []));
    if (stopsWhenStreamIsLeft) {
      await vi.waitFor(() => expect([closed(), tree.size]).toEqual([['aborted'], 0]));
      expect(told().length).toBeLessThan(whole.told().length);
    } else {
      await vi.waitFor(() => expect(told()).toEqual(whole.told()));
      await pause(20);
      // The end is told if no chunk follows the one at which the reader left: a swarm's last agent leaves none.
      expect(closed()).toEqual(team === 'swarm' ? ['completed'] : []);
    }
  });

  test.each(['updates', 'values'] as const)('%s, inside a sub-graph', async (streamMode) => {
    const sub = { a: () => saying('a', pause(2)), b: () => saying('b', pause(2)), c: () => 'c' };
    const outer = new StateGraph(MessagesAnnotation)
      .addNode('sub', inARow(sub))
      .addNode('graph', inARow({ after: () => 'after' }))
      .addEdge(START, 'sub')
      .addEdge('sub', 'graph')
      .compile();
    const { runtime, told } = watching();
    const { app, tree } = hooked(outer, runtime);
    let chunks = 0;
    for await (const _chunk of await app.stream(input, { streamMode, subgraphs: true }))
      if (++chunks === 2) break;
    if (stopsWhenStreamIsLeft) await vi.waitFor(() => expect(tree.size).toBe(0));
    else await vi.waitFor(() => expect(told().at(-1)).toBe('after: after'));
  });

  test('an alarm stops what goes on behind the reader’s back', async () => {
    const ran: string[] = [];
    const app = withAuditor(
      inARow({
        plan: () => 'planned',
        solve: () => saying(`WRONG ${ran.push('solve')}`, pause(5)),
        verify: () => `verified ${ran.push('verify')}`,
      }),
      createRuntime({ auditor: wrongSpotter(5) }),
    );
    for await (const _chunk of await app.stream(input, { streamMode: 'updates' })) break;
    await pause(60);
    expect(ran).toEqual(stopsWhenStreamIsLeft ? [] : ['solve']);
  });
});

test('a halt inside a tool: nothing later runs; resumed, the tool runs again only where ToolNode let the halt pass', async () => {
  const ran: string[] = [];
  const research = tool(
    async () => {
      await inARow({ inner: () => saying('WRONG', ran.push('inner')) }).invoke(input);
      ran.push('tool');
      return 'found';
    },
    { name: 'research', description: 'Researches', schema: z.object({}) },
  );
  const call = { id: 'call', name: 'research', args: {} };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('boss', async () => ({ messages: [new AIMessage({ content: '', tool_calls: [call] })] }))
    .addNode('tools', new ToolNode([research]))
    .addNode('last', async () => ({ messages: [new AIMessage(`last ${ran.push('last')}`)] }))
    .addEdge(START, 'boss')
    .addEdge('boss', 'tools')
    .addEdge('tools', 'last')
    .addEdge('last', END)
    .compile({ checkpointer: new MemorySaver() });
  const app = withAuditor(graph, createRuntime({ auditor: wrongSpotter() }));
  const config = { configurable: { thread_id: '1' } };
  await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  expect(ran).toEqual(['inner']);
  const { messages } = await app.invoke(null, config);
  const answer = messages.find((message) => message.getType() === 'tool')?.content;
  if (toolNodePassesHalt) {
    expect(answer).toBe('found');
    expect(ran).toEqual(['inner', 'tool', 'last']);
  } else {
    expect(answer).toMatch(/^Error: audit alarm at step 2 \(inner\)/);
    expect(ran).toEqual(['inner', 'last']);
  }
});

describe('a hooked agent inside a hooked graph', () => {
  const team = (ran: string[], runtime: Runtime) => {
    const inner = withAuditor(soloAgent({ ran }), runtime);
    const outer = inARow({
      outer: () => saying('outer done', inner.invoke(task)),
      after: () => `after ${ran.push('after')}`,
    });
    return withAuditor(outer, runtime);
  };

  test('is one run, or, where the agent loses its caller, a run of its own', async () => {
    const { runtime, recorder } = watching();
    await team([], runtime).invoke(task);
    const runs = recorder.records.flatMap((record) => (record.type === 'run' ? [record.runId] : []));
    const told = runs.map((run) =>
      recorder.records.flatMap((record) =>
        record.type === 'turn' && record.runId === run ? [record.turn.agent] : [],
      ),
    );
    expect(told).toEqual(
      agentKeepsCaller
        ? [['user', 'solo', 'solo', 'solo', 'outer', 'after']]
        : [
            ['user', 'outer', 'after'],
            ['user', 'solo', 'solo', 'solo'],
          ],
    );
  });

  test('halts the graph', async () => {
    const ran: string[] = [];
    const alarm = { kind: 'alarm', agent: 'solo', reason: 'wrong' } as const;
    const auditor = {
      audit: ({ prefix }: { prefix: { newest: { agent: string; index: number } } }) =>
        prefix.newest.agent === 'solo'
          ? { ...alarm, step: prefix.newest.index }
          : { kind: 'continue' as const },
    };
    const app = team(ran, createRuntime({ auditor }));
    await expect(app.invoke(task)).rejects.toMatchObject({ name: 'GraphDrained', alarm: { agent: 'solo' } });
    expect(ran).toEqual(['model:solo']);
  });
});
