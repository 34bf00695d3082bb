import { AIMessage } from '@langchain/core/messages';
import {
  Annotation,
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAtEveryTurn, offences } from '../../support/alarms.js';
import { blaming, inARow, input, node, noting, watching } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

const three = (ran: string[], name: string) =>
  inARow({
    [`${name}1`]: noting(ran, `${name}1`),
    [`${name}2`]: noting(ran, `${name}2`),
    [`${name}3`]: noting(ran, `${name}3`),
  });

/** A graph around graphs: `first`, then `inner`, then `last`. */
function around(ran: string[], inner: Parameters<typeof addInner>[0]) {
  return addInner(inner, ran).compile();
}

function addInner(inner: ReturnType<typeof inARow> | ReturnType<typeof node>, ran: string[]) {
  const builder = new StateGraph(MessagesAnnotation);
  return builder
    .addNode('first', node(noting(ran, 'first')))
    .addNode('inner', inner as ReturnType<typeof node>)
    .addNode('last', node(noting(ran, 'last')))
    .addEdge(START, 'first')
    .addEdge('first', 'inner')
    .addEdge('inner', 'last')
    .addEdge('last', END);
}

/** Calls a graph from code, which then comes to its own end. */
const calling = (ran: string[], graph: ReturnType<typeof inARow>) =>
  node(async () => {
    await graph.invoke(input);
    ran.push('start own code');
    return 'inner is done';
  });

describe('an alarm on any turn, at any depth, stops all that follows', () => {
  test.each<[string, (ran: string[]) => ReturnType<typeof around>, string[]]>([
    ['declared', (ran) => around(ran, three(ran, 'x')), ['first', 'x1', 'x2', 'x3', 'last']],
    [
      'called from code',
      (ran) => around(ran, calling(ran, three(ran, 'x'))),
      ['first', 'x1', 'x2', 'x3', 'inner', 'last'],
    ],
    [
      'declared in a declared one',
      (ran) => around(ran, around(ran, three(ran, 'x')) as never),
      ['first', 'first', 'x1', 'x2', 'x3', 'last', 'last'],
    ],
    [
      'called from code in a declared one in one called from code',
      (ran) =>
        around(ran, calling(ran, around(ran, around(ran, calling(ran, three(ran, 'x'))) as never) as never)),
      ['first', 'first', 'first', 'x1', 'x2', 'x3', 'inner', 'last', 'last', 'inner', 'last'],
    ],
    [
      'one after another from the same code',
      (ran) =>
        around(
          ran,
          node(async () => {
            await three(ran, 'x').invoke(input);
            await three(ran, 'y').invoke(input);
            ran.push('start own code');
            return 'both are done';
          }),
        ),
      ['first', 'x1', 'x2', 'x3', 'y1', 'y2', 'y3', 'inner', 'last'],
    ],
  ])('%s', async (_how, graph, agents) => {
    const runs = await alarmAtEveryTurn((ran, hook) => hook(graph(ran)).invoke(input));
    expect(runs.map(({ blamed }) => blamed.agent)).toEqual(agents);
    expect(offences(runs)).toEqual([]);
  });
});

test('an inner graph with a state of its own, translated by the code around it', async () => {
  const Inner = Annotation.Root({ question: Annotation<string>, answer: Annotation<string> });
  const inner = new StateGraph(Inner)
    .addNode('reads', async ({ question }) => ({ answer: `about ${question}` }))
    .addNode('checks', async ({ answer }) => ({ answer: `${answer}, checked` }))
    .addEdge(START, 'reads')
    .addEdge('reads', 'checks')
    .addEdge('checks', END)
    .compile();
  const outer = inARow({ asks: async () => (await inner.invoke({ question: 'sums' })).answer });
  const { runtime, told } = watching();
  await withAuditor(outer, runtime).invoke(input);
  expect(told()).toEqual([
    'user: go',
    'reads: {"answer":"about sums"}',
    'checks: {"answer":"about sums, checked"}',
    'asks: about sums, checked',
  ]);
});

test('a node inside that goes on in the graph around it, by Command.PARENT', async () => {
  const drive = (ran: string[]) => {
    const inner = new StateGraph(MessagesAnnotation)
      .addNode('decides', async () => {
        ran.push('start decides');
        return new Command({
          graph: Command.PARENT,
          goto: 'last',
          update: { messages: [new AIMessage('over to last')] },
        });
      })
      .addEdge(START, 'decides')
      .compile();
    return new StateGraph(MessagesAnnotation)
      .addNode('inner', inner, { ends: ['last'] })
      .addNode('last', node(noting(ran, 'last')))
      .addEdge(START, 'inner')
      .addEdge('last', END)
      .compile();
  };
  const { runtime, turns } = watching();
  await withAuditor(drive([]), runtime).invoke(input);
  expect(turns().slice(1)).toMatchObject([
    { agent: 'decides', content: 'over to last', handoffTo: 'last' },
    { agent: 'last', content: 'last speaks' },
  ]);
  expect(offences(await alarmAtEveryTurn((ran, hook) => hook(drive(ran)).invoke(input)))).toEqual([]);
});

test('halted inside a sub-graph, the run is taken up inside it', async () => {
  const ran: string[] = [];
  const graph = addInner(three(ran, 'x'), ran).compile({ checkpointer: new MemorySaver() });
  const app = withAuditor(graph, createRuntime({ auditor: blaming('x1') }));
  await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  const state = await app.getState(config, { subgraphs: true });
  expect(state.next).toEqual(['inner']);
  expect(state.tasks[0]?.state).toMatchObject({ next: ['x2'] });
  ran.length = 0;
  await app.invoke(null, config);
  expect(ran.filter((event) => event.startsWith('start'))).toEqual(['start x2', 'start x3', 'start last']);
});

test('code that reads an inner graph’s stream has each step before the verdict on it; what follows the code has not', async () => {
  const ran: string[] = [];
  const reads = node(async () => {
    for await (const chunk of await three(ran, 'x').stream(input, { streamMode: 'updates' })) {
      ran.push(`read ${Object.keys(chunk)}`);
      if ('x2' in chunk) break;
    }
    ran.push('end reading');
    return 'read enough';
  });
  const app = withAuditor(around(ran, reads), createRuntime({ auditor: blaming('x2') }));
  await expect(app.invoke(input)).rejects.toBeInstanceOf(AuditHalt);
  expect(ran.slice(-2)).toEqual(['read x2', 'end reading']);
});

test('the slower of two graphs in a race works on, and an alarm on it stops the run, wherever that has got to', async () => {
  const runs = await alarmAtEveryTurn((ran, hook) => {
    const slower = inARow({
      slow1: noting(ran, 'slow1', 12),
      slow2: noting(ran, 'slow2', 12),
      slow3: noting(ran, 'slow3', 12),
    });
    const race = async () => {
      await Promise.race([inARow({ quick: noting(ran, 'quick') }).invoke(input), slower.invoke(input)]);
      return 'the race is over';
    };
    const graph = inARow({ race, next: noting(ran, 'next', 80), last: noting(ran, 'last', 80) });
    return hook(graph).invoke(input);
  });
  expect(runs.map(({ blamed }) => blamed.agent).toSorted()).toEqual(
    ['quick', 'race', 'next', 'last', 'slow1', 'slow2', 'slow3'].toSorted(),
  );
  const isSlow = (words: string) => /slow\d$/.test(words);
  expect(offences(runs, (event, { agent }) => isSlow(event) !== isSlow(agent))).toEqual([]);
});
