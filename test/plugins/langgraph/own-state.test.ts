import { Annotation, END, entrypoint, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input, watching, wrongSpotter } from '../../support/graphs.js';

// A node that lets a graph work tells its own state too: what it makes of the graph's, not what it hands on from there.

vi.spyOn(console, 'error').mockImplementation(() => {});

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  plan: Annotation<string>,
  items: Annotation<string[]>({ reducer: (one, two) => one.concat(two), default: () => [] }),
});

const inner = () =>
  new StateGraph(State)
    .addNode('drafts', async () => ({ plan: 'a draft', items: ['one'] }))
    .addNode('edits', async ({ plan }) => ({ plan: `${plan}, edited`, items: ['two'] }))
    .addEdge(START, 'drafts')
    .addEdge('drafts', 'edits')
    .addEdge('edits', END)
    .compile();

const drafted = [
  'drafts: {"plan":"a draft","items":["one"]}',
  'edits: {"plan":"a draft, edited","items":["two"]}',
];

function around(asks: (state: unknown) => Promise<Partial<typeof State.State>>) {
  return new StateGraph(State).addNode('asks', asks).addEdge(START, 'asks').addEdge('asks', END).compile();
}

describe('a node that lets a graph work tells', () => {
  test.each<[string, () => ReturnType<typeof around>, string[]]>([
    ['nothing of what it hands on', () => around(() => inner().invoke(input)), []],
    [
      'nothing, where the graph is the node',
      () =>
        new StateGraph(State)
          .addNode('asks', inner())
          .addEdge(START, 'asks')
          .addEdge('asks', END)
          .compile() as unknown as ReturnType<typeof around>,
      [],
    ],
    [
      'what it makes of it',
      () => around(async () => ({ plan: `final: ${(await inner().invoke(input)).plan}` })),
      ['asks: {"plan":"final: a draft, edited"}'],
    ],
    [
      'what it adds to it',
      () => around(async () => ({ plan: (await inner().invoke(input)).plan, items: ['three'] })),
      ['asks: {"items":["three"]}'],
    ],
    [
      'what it says in place of it, though the graph failed',
      () =>
        around(async () => {
          const broken = inARow({
            breaks: () => {
              throw new Error('broken');
            },
          });
          await broken.invoke(input).catch(() => undefined);
          await inner().invoke(input);
          return { plan: 'a guess' };
        }),
      ['asks: {"plan":"a guess"}'],
    ],
  ])('%s', async (_what, graph, own) => {
    const { runtime, told } = watching();
    await withAuditor(graph(), runtime).invoke(input);
    expect(told()).toEqual(['user: go', ...drafted, ...own]);
  });
});

test('an alarm on the state that such a node makes stops the run', async () => {
  const app = withAuditor(
    around(async () => ({ plan: `WRONG: ${(await inner().invoke(input)).plan}` })),
    createRuntime({ auditor: wrongSpotter() }),
  );
  await expect(app.invoke(input)).rejects.toSatisfy(
    (error) => error instanceof AuditHalt && error.alarm?.agent === 'asks',
  );
});

test('an entrypoint that lets a graph work tells its value', async () => {
  const flow = entrypoint('flow', async (_: string) => ({ verdict: (await inner().invoke(input)).plan }));
  const { runtime, told } = watching();
  await withAuditor(flow, runtime).invoke('go');
  expect(told().at(-1)).toBe('flow: {"verdict":"a draft, edited"}');
});
