import {
  Annotation,
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, type Turn } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAtEveryTurn, offences } from '../../support/alarms.js';
import {
  blaming,
  inARow,
  input,
  node,
  noting,
  pause,
  saying,
  watching,
  wrongSpotter,
} from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

const State = Annotation.Root({ ...MessagesAnnotation.spec, part: Annotation<number> });

/** A planner, a worker for each part at the same time, and a join. The first parts take longest. */
function fanOut(ran: string[], work: (part: number) => () => Promise<string>, parts = [0, 1, 2, 3]) {
  return new StateGraph(State)
    .addNode('planner', node(noting(ran, 'planner')))
    .addNode('worker', ({ part }: { part: number }) => node(work(part))())
    .addNode('join', node(noting(ran, 'join')))
    .addEdge(START, 'planner')
    .addConditionalEdges('planner', () => parts.map((part) => new Send('worker', { part })), ['worker'])
    .addEdge('worker', 'join')
    .addEdge('join', END)
    .compile();
}

const briefly = (ran: string[]) => (part: number) => noting(ran, `work ${part}`, 25 - 6 * part);

/** Work in three steps of a graph of its own. */
const inSteps = (ran: string[]) => (part: number) => async () => {
  const step = (name: string) => noting(ran, `${name} ${part}`, 6 + ((7 * part) % 5));
  await inARow({ reads: step('reads'), thinks: step('thinks'), writes: step('writes') }).invoke(input);
  return `part ${part} speaks`;
};

/** Of what is noted here, only the work of other parts stands beside a worker's turn. */
const otherPart = (event: string, { content }: Turn) => {
  const own = / (\d) speaks/.exec(content)?.[1];
  const part = / (\d)$/.exec(event)?.[1];
  return own !== undefined && part !== undefined && part !== own;
};

describe.each([undefined, 2, 3])('maxConcurrency %s', (maxConcurrency) => {
  const limit = maxConcurrency === undefined ? {} : { maxConcurrency };

  test('plain workers: nothing starts after the alarm, and who has begun finishes', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => hook(fanOut(ran, briefly(ran))).invoke(input, limit));
    expect(runs).toHaveLength(6);
    expect(offences(runs, otherPart)).toEqual([]);
  });

  test('workers with graphs of their own: each stops at its next step', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) =>
      hook(fanOut(ran, inSteps(ran), [0, 1, 2])).invoke(input, limit),
    );
    expect(runs).toHaveLength(1 + 3 * 4 + 1);
    expect(offences(runs, otherPart)).toEqual([]);
  });
});

test('branches of one step, of different kinds and lengths', async () => {
  const runs = await alarmAtEveryTurn((ran, hook) => {
    const branch = (name: string, wait: number) =>
      inARow({
        [`${name} 1`]: noting(ran, `${name} 1`, wait),
        [`${name} 2`]: noting(ran, `${name} 2`, wait),
        [`${name} 3`]: noting(ran, `${name} 3`, wait),
      });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('short', branch('short', 4))
      .addNode('long', branch('long', 11))
      .addNode('code', node(noting(ran, 'code', 30)))
      .addNode('join', node(noting(ran, 'join')))
      .addEdge(START, 'short')
      .addEdge(START, 'long')
      .addEdge(START, 'code')
      .addEdge(['short', 'long', 'code'], 'join')
      .addEdge('join', END)
      .compile();
    return hook(graph).invoke(input);
  });
  const branchOf = (words: string) => /short|long|code/.exec(words)?.[0];
  expect(runs).toHaveLength(8);
  expect(
    offences(runs, (event, { agent }) => {
      const [own, other] = [branchOf(agent), branchOf(event)];
      return own !== undefined && other !== undefined && own !== other;
    }),
  ).toEqual([]);
});

test('halted in one branch, the run is taken up in all of them: no step is taken twice', async () => {
  const ran: string[] = [];
  const branch = (name: string, wait: number) =>
    inARow({
      [`${name}1`]: noting(ran, `${name}1`, wait),
      [`${name}2`]: noting(ran, `${name}2`, wait),
    });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('a', branch('a', 1))
    .addNode('b', branch('b', 15))
    .addNode('code', node(noting(ran, 'code', 25)))
    .addNode('join', node(noting(ran, 'join')))
    .addEdge(START, 'a')
    .addEdge(START, 'b')
    .addEdge(START, 'code')
    .addEdge(['a', 'b', 'code'], 'join')
    .addEdge('join', END)
    .compile({ checkpointer: new MemorySaver() });
  const app = withAuditor(graph, watching({ auditor: blaming('a1') }).runtime);
  await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  const starts = (events: string[]) => events.filter((event) => event.startsWith('start')).toSorted();
  expect(starts(ran)).toEqual(['start a1', 'start b1', 'start code']);
  ran.length = 0;
  await app.invoke(null, config);
  expect(starts(ran)).toEqual(['start a2', 'start b2', 'start join']);
});

test('two branches that both say something wrong: the first to be judged is named, the other’s verdict is in the log', async () => {
  const { runtime, recorder } = watching({ auditor: wrongSpotter(20) });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode(
      'late',
      node(() => saying('WRONG, later', pause(10))),
    )
    .addNode(
      'early',
      node(() => 'WRONG'),
    )
    .addNode(
      'join',
      node(() => 'join'),
    )
    .addEdge(START, 'late')
    .addEdge(START, 'early')
    .addEdge(['late', 'early'], 'join')
    .addEdge('join', END)
    .compile();
  const halt = await withAuditor(graph, runtime)
    .invoke(input)
    .catch((error: unknown) => error);
  expect(halt).toMatchObject({ alarm: { agent: 'early' } });
  const verdicts = recorder.records.filter((record) => record.type === 'verdict');
  expect(verdicts.map(({ verdict }) => verdict.kind === 'alarm' && verdict.agent)).toEqual(['early', 'late']);
});

test('a fan-out inside a fan-out, by commands', async () => {
  const { runtime, told } = watching();
  const graph = new StateGraph(State)
    .addNode('planner', async () => new Command({ goto: [0, 1].map((part) => new Send('lead', { part })) }), {
      ends: ['lead'],
    })
    .addNode('lead', async ({ part }: { part: number }) => {
      const inner = fanOut([], (sub) => async () => `${part}.${sub}`, [0, 1]);
      await inner.invoke(input);
      return { messages: [{ role: 'assistant', content: `lead ${part}` }] };
    })
    .addEdge(START, 'planner')
    .addEdge('lead', END)
    .compile();
  await withAuditor(graph, runtime).invoke(input);
  expect(told().toSorted()).toEqual(
    [
      'user: go',
      'planner: ',
      ...[0, 1].flatMap((part) => [
        'planner: planner speaks',
        `worker: ${part}.0`,
        `worker: ${part}.1`,
        'join: join speaks',
        `lead: lead ${part}`,
      ]),
    ].toSorted(),
  );
});
