import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAtEveryTurn, offences } from '../../support/alarms.js';
import { input, node, noting, pause, saying, watching, wrongSpotter } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

/** What the second node's time is, and what a verdict takes that is too slow for it. In milliseconds. */
const TIME = 60;
const SLOW = 250;
/** More time than this machine needs for anything. */
const AMPLE = 5_000;

const retryPolicy = { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false };
const errorHandler = async () => ({ messages: [new AIMessage('handled')] });

const limits: [string, (milliseconds: number) => object][] = [
  ['a timeout', (timeout) => ({ timeout })],
  ['an idle timeout', (idleTimeout) => ({ timeout: { idleTimeout } })],
  ['a timeout and retries', (timeout) => ({ timeout, retryPolicy })],
  ['a timeout and an error handler', (timeout) => ({ timeout, errorHandler })],
];

/** Three nodes, of which the second has little time. */
function hurried(ran: string[], options: object, first = 'first speaks') {
  return new StateGraph(MessagesAnnotation)
    .addNode(
      'first',
      node(() => saying(first, noting(ran, 'first')())),
    )
    .addNode('second', node(noting(ran, 'second')), options)
    .addNode('third', node(noting(ran, 'third')))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', 'third')
    .addEdge('third', END)
    .compile();
}

async function outcomeOf(graph: ReturnType<typeof hurried>, audit: number) {
  const { runtime, recorder } = watching({ auditor: wrongSpotter(audit) });
  const result = await withAuditor(graph, runtime)
    .invoke(input)
    .catch((error: unknown) => error);
  await pause(2 * SLOW);
  const last = recorder.records.at(-1);
  return { result, outcome: last?.type === 'close' ? last.outcome : undefined };
}

describe.each(limits)('a node with %s', (_what, limit) => {
  test('any alarm in time stops the run as ever', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => hook(hurried(ran, limit(AMPLE))).invoke(input));
    expect(runs).toHaveLength(3);
    expect(offences(runs)).toEqual([]);
  });

  test('an alarm that comes after its time still stops the run, whoever would have tried again or made do', async () => {
    const ran: string[] = [];
    const { result, outcome } = await outcomeOf(hurried(ran, limit(TIME), 'WRONG'), SLOW);
    expect(result).toBeInstanceOf(AuditHalt);
    expect(outcome).toEqual({ status: 'halted' });
    expect(ran).toEqual(['start first', 'end first']);
  });
});

describe('waiting for a verdict is a part of the next node’s time', () => {
  test.each(limits.slice(0, 2))('%s runs out, and the node does not start', async (_what, limit) => {
    const ran: string[] = [];
    const { result, outcome } = await outcomeOf(hurried(ran, limit(TIME)), SLOW);
    expect(result).toMatchObject({ name: 'NodeTimeoutError' });
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(ran).toEqual(['start first', 'end first']);
  });

  test('an error handler makes do; the node that it stands in for still starts, and what it says is dropped', async () => {
    const ran: string[] = [];
    const { result } = await outcomeOf(hurried(ran, { timeout: TIME, errorHandler }), SLOW);
    expect((result as { messages: AIMessage[] }).messages.map(({ text }) => text)).toEqual([
      'go',
      'first speaks',
      'handled',
    ]);
    expect(ran).toEqual(['start first', 'end first', 'start second', 'end second']);
  });

  test('the graph’s stepTimeout ends the run as an abort', async () => {
    const ran: string[] = [];
    const graph = hurried(ran, {});
    graph.stepTimeout = TIME;
    const { result, outcome } = await outcomeOf(graph, SLOW);
    expect(result).toMatchObject({ message: 'Abort' });
    expect(outcome).toEqual({ status: 'aborted' });
    expect(ran).toEqual(['start first', 'end first']);
  });

  test('a deadline below the node’s time keeps it out of trouble', async () => {
    const told: string[] = [];
    const { runtime } = watching({
      auditor: wrongSpotter(AMPLE / 5),
      deadlineMs: TIME,
      diagnostics: { report: ({ code }) => void told.push(code) },
    });
    const result = await withAuditor(hurried([], { timeout: AMPLE / 5 }), runtime).invoke(input);
    expect(result.messages).toHaveLength(4);
    expect(new Set(told)).toEqual(new Set(['audit-failure-deadline']));
  });
});

test('a node that outruns its time by itself is told as the failure that it is', async () => {
  const slow = new StateGraph(MessagesAnnotation)
    .addNode(
      'slow',
      node(() => saying('late', pause(SLOW))),
      { timeout: TIME / 3 },
    )
    .addEdge(START, 'slow')
    .addEdge('slow', END)
    .compile();
  const { result, outcome } = await outcomeOf(slow as unknown as ReturnType<typeof hurried>, 0);
  expect(result).toMatchObject({ name: 'NodeTimeoutError' });
  expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining('Node "slow"') });
});
