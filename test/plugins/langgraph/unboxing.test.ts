import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  Command,
  END,
  entrypoint,
  MessagesAnnotation,
  START,
  StateGraph,
  task,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { input, node, watching } from '../../support/graphs.js';

// LangChain hands lists and bare values to callbacks in a box, `{ output }`, which a graph's own state may look like.

vi.spyOn(console, 'error').mockImplementation(() => {});

test.each([
  ['its own name', {}],
  ['a runName of the caller’s', { runName: 'mine' }],
])('an entrypoint under %s tells its value as it is', async (_what, config) => {
  const work = task('work', async (_: string) => 'worked');
  const flow = entrypoint('flow', async (text: string) => {
    await work(text);
    return 'a value';
  });
  const { runtime, told } = watching();
  await withAuditor(flow, runtime).invoke('go', config);
  expect(told()).toEqual(['user: go', 'work: worked', 'flow: a value']);
});

test.each([['an answer'], [7], [[]], [['a', 'list']]])(
  'a state key named output that holds %j is told as state, also by a node named as its graph',
  async (output) => {
    const State = Annotation.Root({ output: Annotation<unknown> });
    const graph = new StateGraph(State)
      .addNode('LangGraph', async () => ({ output }))
      .addNode('other', async () => ({ output }))
      .addEdge(START, 'LangGraph')
      .addEdge('LangGraph', 'other')
      .addEdge('other', END)
      .compile();
    const { runtime, turns } = watching();
    await withAuditor(graph, runtime).invoke({ output: '' });
    const state = JSON.stringify({ output });
    expect(turns().slice(1)).toMatchObject([
      { agent: 'LangGraph', kind: 'state', content: state },
      { agent: 'other', kind: 'state', content: state },
    ]);
  },
);

test('a list of commands and updates, as a ToolNode returns for an ordinary tool beside a handover', async () => {
  const add = tool(async () => '40', { name: 'add', description: 'Adds', schema: z.object({}) });
  const handover = tool(
    async (_: unknown, { toolCall }) => {
      const done = new ToolMessage({ content: 'over to bob', tool_call_id: toolCall.id, name: 'handover' });
      return new Command({ goto: 'bob', update: { messages: [done] } });
    },
    { name: 'handover', description: 'Hands over to bob', schema: z.object({}) },
  );
  const tool_calls = [
    { id: 'c1', name: 'add', args: {} },
    { id: 'c2', name: 'handover', args: {} },
  ];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode(
      'alice',
      node(() => [new AIMessage({ content: 'over to bob', tool_calls })]),
    )
    .addNode('tools', new ToolNode([add, handover]), { ends: ['bob'] })
    .addNode(
      'bob',
      node(() => 'bob speaks'),
    )
    .addEdge(START, 'alice')
    .addEdge('alice', 'tools')
    .addEdge('bob', END)
    .compile();
  const { runtime, turns } = watching();
  await withAuditor(graph, runtime).invoke(input);
  const told = turns().slice(2);
  expect(told.toSorted((one, other) => one.content.localeCompare(other.content))).toMatchObject([
    { agent: 'alice', kind: 'tool', toolName: 'add', content: '40' },
    { agent: 'bob', content: 'bob speaks' },
    { agent: 'alice', kind: 'tool', toolName: 'handover', content: 'over to bob', handoffTo: 'bob' },
  ]);
});
