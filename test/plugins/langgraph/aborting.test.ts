import { MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, everyTurn } from '../../../core/index.js';
import { proceed, ScriptedAuditor } from '../../../core/testing/index.js';
import { type LangGraphHost, withAuditor } from '../../../plugins/langgraph/index.js';
import { stopsWhenStreamIsLeft } from '../../support/framework-versions.js';
import { inARow, input, node, noting, pause, saying, watching, wrongSpotter } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

/** Lets the caller abort in a moment; the first node to start calls it. */
type AbortSoon = () => void;

/** What a run that is aborted rejects with, what ran, and how the log closed. */
async function aborted(
  graph: (ran: string[], abortSoon: AbortSoon) => ReturnType<typeof inARow>,
  options: Parameters<typeof watching>[0] = {},
  hook: <Host extends LangGraphHost>(
    graph: Host,
    runtime: ReturnType<typeof watching>['runtime'],
  ) => Host = withAuditor,
) {
  const ran: string[] = [];
  const controller = new AbortController();
  const { runtime, recorder, told } = watching({ diagnostics: { report: () => {} }, ...options });
  const abortSoon = () => void setTimeout(() => controller.abort(), 10);
  const error = await hook(graph(ran, abortSoon), runtime)
    .invoke(input, { signal: controller.signal })
    .catch((thrown: Error) => thrown);
  await pause(250);
  return { error: error as Error, ran, told: told(), last: recorder.records.at(-1) };
}

const three =
  (wait: number) =>
  (ran: string[], abortSoon: AbortSoon = () => {}) =>
    inARow({
      first: () => {
        abortSoon();
        return noting(ran, 'first', wait)();
      },
      second: noting(ran, 'second', wait),
      third: noting(ran, 'third', wait),
    });

const bare = <Host extends LangGraphHost>(graph: Host) => graph;

describe('an abort by the caller', () => {
  test('before the start: as without us, and nothing is audited', async () => {
    const ran: string[] = [];
    const { runtime, recorder } = watching();
    const signal = AbortSignal.abort();
    const run = (graph: ReturnType<typeof inARow>) =>
      graph.invoke(input, { signal }).catch((error: Error) => [error.name, error.message]);
    expect(await run(withAuditor(three(0)(ran), runtime))).toEqual(await run(three(0)([])));
    expect([ran, recorder.records]).toEqual([[], []]);
  });

  test('while a node works: what it has begun it finishes, nothing else starts, the log says aborted', async () => {
    const hooked = await aborted(three(60));
    const unhooked = await aborted(three(60), {}, bare);
    expect([hooked.error.name, hooked.error.message]).toEqual([unhooked.error.name, unhooked.error.message]);
    expect(hooked.ran).toEqual(['start first', 'end first']);
    expect(hooked.ran).toEqual(unhooked.ran);
    expect(hooked.last).toMatchObject({ type: 'close', outcome: { status: 'aborted' } });
  });

  test('while a node of a sub-graph works', async () => {
    const nested = (ran: string[], abortSoon: AbortSoon) =>
      new StateGraph(MessagesAnnotation)
        .addNode('inner', three(60)(ran, abortSoon))
        .addNode('last', node(noting(ran, 'last')))
        .addEdge(START, 'inner')
        .addEdge('inner', 'last')
        .compile() as unknown as ReturnType<typeof inARow>;
    const hooked = await aborted(nested);
    expect(hooked.ran).toEqual(['start first', 'end first']);
    expect(hooked.ran).toEqual((await aborted(nested, {}, bare)).ran);
    expect(hooked.last).toMatchObject({ outcome: { status: 'aborted' } });
  });

  const slowly = () => new ScriptedAuditor([], () => saying('', pause(150)).then(() => proceed));

  test('while a verdict is awaited: the wait ends at once, and the verdict changes nothing', async () => {
    const started = performance.now();
    const { error, ran, last } = await aborted(three(0), { auditor: slowly() });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(error).not.toBeInstanceOf(AuditHalt);
    expect(ran).toEqual(['start first', 'end first']);
    expect(last).toMatchObject({ type: 'close', outcome: { status: 'aborted' } });
  });

  test('while an alarm is on its way: it stays the caller’s abort, and the alarm is in the log', async () => {
    const { error, ran, last } = await aborted(
      (ran, abortSoon) =>
        inARow({
          first: () => {
            abortSoon();
            return saying('WRONG', ran.push('first'));
          },
          second: noting(ran, 'second'),
        }),
      { auditor: wrongSpotter(150), schedule: everyTurn() },
    );
    expect(error).not.toBeInstanceOf(AuditHalt);
    expect(ran).toEqual(['first']);
    expect(last).toMatchObject({ type: 'close', outcome: { status: 'aborted' } });
  });

  /** Three nodes, and what the second does the first time it is called; later it just speaks. */
  const once = (ran: string[], work: () => unknown) => {
    let calls = 0;
    return inARow(
      {
        first: noting(ran, 'first'),
        second: () => saying('second speaks', calls++ === 0 ? work() : undefined),
        third: noting(ran, 'third'),
      },
      { checkpointer: new MemorySaver() },
    );
  };

  test('an aborted run is taken up where it was, with what was said in view', async () => {
    const ran: string[] = [];
    const controller = new AbortController();
    const { runtime, auditor, recorder } = watching();
    const app = withAuditor(
      once(ran, () => {
        setTimeout(() => controller.abort(), 10);
        return pause(100);
      }),
      runtime,
    );
    await expect(app.invoke(input, { ...config, signal: controller.signal })).rejects.toThrow();
    // LangGraph rejects before it tells of the end; who is quicker than that gets the past from the checkpoint.
    await vi.waitFor(() => expect(recorder.records.at(-1)?.type).toBe('close'));
    await app.invoke(null, config);
    expect(ran).toEqual(['start first', 'end first', 'start third', 'end third']);
    expect(auditor.requests.at(-1)?.turns.map(({ agent, given }) => [agent, given === true])).toEqual([
      ['user', true],
      ['first', true],
      ['second', false],
      ['third', false],
    ]);
  });

  test('from inside a node, of which LangGraph tells no callback: the log is closed all the same, and nothing else starts', async () => {
    const ran: string[] = [];
    const controller = new AbortController();
    const { runtime, recorder, auditor } = watching();
    const app = withAuditor(
      once(ran, () => {
        controller.abort();
        return pause(10);
      }),
      runtime,
    );
    await expect(app.invoke(input, { ...config, signal: controller.signal })).rejects.toThrow();
    await pause(80);
    expect(recorder.records.map(({ type }) => type)).toEqual(['run', 'turn', 'turn', 'verdict', 'close']);
    expect(recorder.records.at(-1)).toMatchObject({ outcome: { status: 'aborted' } });
    expect(ran).toEqual(['start first', 'end first']);
    await app.invoke(null, config);
    expect(auditor.requests.at(-1)?.turns.map(({ content }) => content)).toEqual([
      'go',
      'first speaks',
      'second speaks',
      'third speaks',
    ]);
  });
});

describe('a stream that its reader leaves', () => {
  const leave = async (app: ReturnType<typeof inARow>) => {
    for await (const _chunk of await app.stream(input, { streamMode: 'updates' })) break;
  };

  test('stops no later than without us, and is closed as aborted', async () => {
    const [hookedRan, bareRan]: string[][] = [[], []];
    const { runtime, recorder } = watching();
    await leave(withAuditor(three(20)(hookedRan as string[]), runtime));
    await leave(three(20)(bareRan as string[]));
    await pause(100);
    expect(bareRan).toEqual(expect.arrayContaining(hookedRan as string[]));
    expect(hookedRan?.includes('start third')).toBe(!stopsWhenStreamIsLeft);
    const closed = recorder.records.filter((record) => record.type === 'close');
    expect(closed.map(({ outcome }) => outcome.status)).toEqual(stopsWhenStreamIsLeft ? ['aborted'] : []);
  });

  test('and a graph that works on beside it is not disturbed', async () => {
    const { runtime, recorder } = watching();
    const app = withAuditor(three(5)([]), runtime);
    const [result] = await Promise.all([app.invoke(input), leave(app)]);
    expect(result.messages).toHaveLength(4);
    await vi.waitFor(() => {
      const closed = recorder.records.filter((record) => record.type === 'close');
      const left = stopsWhenStreamIsLeft ? ['aborted'] : [];
      expect(closed.map(({ outcome }) => outcome.status).toSorted()).toEqual([...left, 'completed']);
    });
  });
});
