import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { RemoteGraph } from '@langchain/langgraph/remote';
import { createAgent } from 'langchain';
import { expect, test } from 'vitest';
import { createRuntime, type Diagnostic } from '../../../core/index.js';
import { approvingAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input } from '../../support/graphs.js';
import { addTool, scriptedModel, soloAgent, task, teams } from '../../support/langgraph-teams.js';

function checking() {
  const told: Diagnostic[] = [];
  const runtime = createRuntime({
    auditor: approvingAuditor(),
    diagnostics: { report: (diagnostic) => void told.push(diagnostic) },
  });
  const findings = () => told.map(({ code, message }) => `${code}: ${message}`);
  return { runtime, findings };
}

test.each(Object.keys(teams) as (keyof typeof teams)[])(
  'a %s that is hooked whole has no findings',
  async (team) => {
    const { runtime, findings } = checking();
    await withAuditor(teams[team]({ ran: [] }), runtime).invoke(task);
    expect(findings()).toEqual([]);
  },
);

test('an agent that only its graph names, hooked by itself, has no findings', async () => {
  const { runtime, findings } = checking();
  const model = scriptedModel('solo', [], ['hello']);
  const agent = createReactAgent({ llm: model, tools: [addTool([])], name: 'solo' });
  await withAuditor(agent, runtime).invoke(task);
  expect(findings()).toEqual([]);
});

test('agents that functions call as usual are seen: no findings', async () => {
  const { runtime, findings } = checking();
  const graph = inARow({ outer: async () => (await soloAgent({ ran: [] }).invoke(task)).messages });
  await withAuditor(graph, runtime).invoke(input);
  expect(findings()).toEqual([]);
});

/** An agent called with callbacks of its own, which replace ours. */
const detached = () => soloAgent({ ran: [] }).invoke(task, { callbacks: [] });

test.each<[string, () => Promise<AIMessage[]>, RegExp]>([
  [
    'its last words',
    async () => (await detached()).messages.slice(-1) as AIMessage[],
    /node outer hands back words of solo/,
  ],
  [
    'all of it',
    async () => (await detached()).messages as AIMessage[],
    /node outer hands back words of solo/,
  ],
])('an agent called with callbacks of its own is found by %s, once', async (_what, outer, finding) => {
  const { runtime, findings } = checking();
  for (let run = 0; run < 2; run++) await withAuditor(inARow({ outer }), runtime).invoke(input);
  expect(findings()).toEqual([expect.stringMatching(finding)]);
  expect(findings()[0]).toMatch(/^agent-not-hooked: .* pass the node’s config on/);
});

test('an unnamed agent is found by its exchange with its tools', async () => {
  const { runtime, findings } = checking();
  const outer = async () => {
    const call = { id: 'call-1', name: 'add', args: {} };
    return [
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ tool_call_id: 'call-1', content: '3' }),
    ];
  };
  await withAuditor(inARow({ outer }), runtime).invoke(input);
  expect(findings()).toEqual([expect.stringMatching(/an agent’s exchange with its tools/)]);
});

test('one agent of a team hooked instead of the team', async () => {
  const { runtime, findings } = checking();
  const agent = (name: string) =>
    createAgent({ model: scriptedModel(name, [], ['hello']), tools: [addTool([])], name }).graph;
  const team = new StateGraph(MessagesAnnotation)
    .addNode('alice', withAuditor(agent('alice'), runtime))
    .addNode('bob', agent('bob'))
    .addEdge(START, 'alice')
    .addEdge('alice', 'bob')
    .addEdge('bob', END)
    .compile();
  await team.invoke(input);
  expect(findings()).toEqual([
    expect.stringMatching(/runs in node alice of a graph that is not hooked.*Hook the outermost/),
  ]);
});

test('a node that is a RemoteGraph is found when the graph is hooked', () => {
  const { runtime, findings } = checking();
  const team = new StateGraph(MessagesAnnotation)
    .addNode('far', new RemoteGraph({ graphId: 'far', url: 'http://127.0.0.1:9' }))
    .addEdge(START, 'far')
    .addEdge('far', END)
    .compile();
  withAuditor(team, runtime);
  expect(findings()).toEqual([expect.stringMatching(/node far is a RemoteGraph/)]);
});
