import { END, entrypoint, MessagesAnnotation, START, StateGraph, task } from '@langchain/langgraph';
import { InMemoryCache } from '@langchain/langgraph-checkpoint';
import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { input, node, watching } from '../../support/graphs.js';

// A cached result is no run of its node: LangGraph tells callbacks nothing of it.

vi.spyOn(console, 'error').mockImplementation(() => {});

test('what a node said is told when it runs, not when its cached words are used again', async () => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode(
      'first',
      node(() => 'first'),
    )
    .addNode(
      'costly',
      node(() => 'costly'),
      { cachePolicy: { keyFunc: () => 'same' } },
    )
    .addNode(
      'last',
      node(() => 'last'),
    )
    .addEdge(START, 'first')
    .addEdge('first', 'costly')
    .addEdge('costly', 'last')
    .addEdge('last', END)
    .compile({ cache: new InMemoryCache() });
  const told = async () => {
    const { runtime, told } = watching();
    const { messages } = await withAuditor(graph, runtime).invoke(input);
    expect(messages.map(({ text }) => text)).toEqual(['go', 'first', 'costly', 'last']);
    return told();
  };
  expect(await told()).toEqual(['user: go', 'first: first', 'costly: costly', 'last: last']);
  expect(await told()).toEqual(['user: go', 'first: first', 'last: last']);
});

test('nor is a cached task, of the functional API', async () => {
  const costly = task({ name: 'costly', cachePolicy: {} }, async (_: string) => 'costly');
  const flow = entrypoint({ name: 'flow', cache: new InMemoryCache() }, async (text: string) =>
    (await costly(text)).toUpperCase(),
  );
  const told = async () => {
    const { runtime, told } = watching();
    await withAuditor(flow, runtime).invoke('go');
    return told();
  };
  expect(await told()).toEqual(['user: go', 'costly: costly', 'flow: COSTLY']);
  expect(await told()).toEqual(['user: go', 'flow: COSTLY']);
});
