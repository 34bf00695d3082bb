import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, type AuditRequest, createRuntime, everyTurn, type Turn } from '../../../core/index.js';
import { type LangGraphHost, withAuditor } from '../../../plugins/langgraph/index.js';
import {
  branchingFlow,
  branchingGraph,
  type Delays,
  mixed,
  sideBySide,
} from '../../support/branching-graph.js';
import { choices, type Task, tasks } from '../../support/branching-run.js';
import { input } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

interface Outcome {
  /** The turns in final order, and what each said. */
  readonly turns: readonly string[];
  /** What the auditor saw when it was asked about a turn, by the turn's id. */
  readonly pasts: Readonly<Record<string, readonly string[]>>;
  readonly blamed: string | undefined;
}

type Host = LangGraphHost & { invoke(state: never): Promise<unknown> };

const words = ({ id, agent, content, toolCallId }: Turn) => `${id} ${agent}: ${content} ${toolCallId ?? ''}`;

/** Runs a graph, and raises the alarm at one turn, or at the last one, which says `end`. */
async function outcomeOf(host: Host, wrong?: string): Promise<Outcome> {
  const pasts: Record<string, readonly string[]> = {};
  const again: string[] = [];
  const audit = ({ prefix }: AuditRequest) => {
    const { id, index, agent, content } = prefix.newest;
    if (id in pasts) again.push(id);
    pasts[id] = [...prefix].map(words);
    const isWrong = wrong === undefined ? content === 'end' : id === wrong;
    return isWrong
      ? ({ kind: 'alarm', step: index, agent, reason: 'wrong' } as const)
      : ({ kind: 'continue' } as const);
  };
  const runtime = createRuntime({ auditor: { audit }, schedule: everyTurn() });
  const halt = await withAuditor(host, runtime)
    .invoke(input as never)
    .catch((error: unknown) => error);
  if (!(halt instanceof AuditHalt)) throw new Error(`expected a halt, got ${String(halt)}`);
  expect(again, 'no turn is judged twice').toEqual([]);
  return {
    turns: halt.turns.map(words),
    pasts: Object.fromEntries(Object.entries(pasts).sort()),
    blamed: halt.turns[halt.alarm?.step ?? -1]?.id,
  };
}

/** Large enough to branch twice, small enough to be run many times. */
const smallTasks = tasks.filter((task) => JSON.stringify(task).length < 120);

const builds: [string, (task: Task, delays: Delays) => Host][] = [
  ...Object.entries({ ...sideBySide, 'all of these in one another': mixed }).map(
    ([how, addLanes]): [string, (task: Task, delays: Delays) => Host] => [
      how,
      (task, delays) => branchingGraph(task, addLanes, delays) as unknown as Host,
    ],
  ),
  ['tasks of the functional API', (task, delays) => branchingFlow(task, delays) as unknown as Host],
];

describe.each(builds)('%s', (_how, build) => {
  test('the same graph is the same trajectory, judged on the same pasts, with the same alarm, however long its parts take', async () => {
    await fc.assert(
      fc.asyncProperty(smallTasks, fc.nat(), fc.nat(), async (task, seed, pick) => {
        const delay = choices(seed);
        const graph = build(task, () => delay(5));
        const [reference, ...others] = await Promise.all([1, 2, 3].map(() => outcomeOf(graph)));
        for (const other of others) expect(other).toEqual(reference);
        const judged = Object.keys((reference as Outcome).pasts);
        const wrong = judged[pick % judged.length] as string;
        for (const halted of await Promise.all([1, 2].map(() => outcomeOf(graph, wrong)))) {
          expect(halted.blamed).toBe(wrong);
          // Who was judged before the halt, in branches beside the blamed turn, was judged as always.
          expect(reference?.pasts).toMatchObject(halted.pasts);
        }
      }),
      { numRuns: 20 },
    );
  });
});
