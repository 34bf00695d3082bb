import { Annotation, END, MessagesAnnotation, Send, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { type LangGraphHost, withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input, node, noting, pause, watching } from '../../support/graphs.js';

// One branch that fails rejects the run at once; LangGraph lets the others work on, and so must we.

vi.spyOn(console, 'error').mockImplementation(() => {});

const State = Annotation.Root({ ...MessagesAnnotation.spec, part: Annotation<number> });

async function outcomeOf(graph: (ran: string[]) => LangGraphHost, config: object, hook: typeof withAuditor) {
  const ran: string[] = [];
  const { runtime, recorder } = watching();
  const hooked = hook(graph(ran), runtime) as ReturnType<typeof inARow>;
  const error = await hooked.invoke(input, config).catch((thrown: Error) => thrown.message);
  await pause(400);
  const ended = recorder.records.find((record) => record.type === 'close');
  return { error, ran: ran.toSorted(), outcome: ended?.outcome };
}

const bare: typeof withAuditor = (graph) => graph;

const inSteps = (ran: string[], name: string) =>
  inARow({
    reads: noting(ran, `reads ${name}`, 10),
    thinks: noting(ran, `thinks ${name}`, 10),
    writes: noting(ran, `writes ${name}`, 10),
  });

const breaks = async () => {
  await pause(5);
  throw new Error('broken');
};

const graphs: [string, (ran: string[]) => LangGraphHost][] = [
  [
    'workers that are sent to',
    (ran) =>
      new StateGraph(State)
        .addNode('worker', async ({ part }: { part: number }) => {
          if (part === 1) return breaks();
          await inSteps(ran, `${part}`).invoke(input);
          ran.push(`end worker ${part}`);
          return {};
        })
        .addConditionalEdges(START, () => [0, 1, 2].map((part) => new Send('worker', { part })), ['worker'])
        .addEdge('worker', END)
        .compile(),
  ],
  [
    'sub-graphs',
    (ran) =>
      new StateGraph(MessagesAnnotation)
        .addNode('breaks', breaks)
        .addNode('one', inSteps(ran, 'one'))
        .addNode('two', inSteps(ran, 'two'))
        .addEdge(START, 'breaks')
        .addEdge(START, 'one')
        .addEdge(START, 'two')
        .compile(),
  ],
  [
    'code that calls graphs',
    (ran) =>
      new StateGraph(MessagesAnnotation)
        .addNode('breaks', breaks)
        .addNode(
          'one',
          node(async () => {
            await pause(15);
            await inSteps(ran, 'first').invoke(input);
            await inSteps(ran, 'second').invoke(input);
            ran.push('end one');
            return 'one';
          }),
        )
        .addEdge(START, 'breaks')
        .addEdge(START, 'one')
        .compile(),
  ],
];

describe.each(graphs)('%s', (_what, graph) => {
  test.each([{}, { maxConcurrency: 3 }])('beside a branch that fails, under %j', async (config) => {
    const without = await outcomeOf(graph, config, bare);
    const withUs = await outcomeOf(graph, config, withAuditor);
    expect(withUs.error).toBe('broken');
    expect(withUs.ran).toEqual(without.ran);
    expect(withUs.outcome).toMatchObject({ status: 'failed' });
  });
});
