import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { input, node, noting, pause, watching, wrongSpotter } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

test('a node that is tried again while its first attempt still waits for a verdict runs once', async () => {
  const ran: string[] = [];
  const retryPolicy = { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('first', node(noting(ran, 'first')))
    .addNode('second', node(noting(ran, 'second')), { timeout: 400, retryPolicy })
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', END)
    .compile();
  const { runtime, told } = watching({ auditor: wrongSpotter(600) });
  const { messages } = await withAuditor(graph, runtime).invoke(input);
  await pause(50);
  expect(messages).toHaveLength(3);
  expect(ran).toEqual(['start first', 'end first', 'start second', 'end second']);
  expect(told()).toEqual(['user: go', 'first: first speaks', 'second: second speaks']);
});
