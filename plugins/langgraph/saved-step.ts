import type { StateSnapshot } from '@langchain/langgraph';
import type { TurnInput } from '../../core/index.js';
import type { CompiledGraph, InvokeOptions } from './compiled-graph.js';
import { givenIn, lineage, turnsAfter } from './saved-past.js';
import { SeenMessages } from './seen-messages.js';
import { newLedger } from './to-turn.js';

/** The step of a graph in which a turn was said, as its checkpoints have it. */
export interface SavedStep {
  /** The checkpoint from which it ran. */
  readonly snapshot: StateSnapshot;
  readonly node: string;
  /** What the node gave to the graph. */
  readonly output: unknown;
}

/** @returns the step, or why there is none that could be done again by itself */
export async function savedStep(
  graph: CompiledGraph,
  config: InvokeOptions,
  turns: readonly TurnInput[],
  step: number,
): Promise<SavedStep | string> {
  const wanted = turns[step] as TurnInput;
  let before = turns.slice(0, step).filter((turn) => isSame(turn, wanted)).length;
  const ledger = newLedger(new SeenMessages({ copies: true }));
  const history = await lineage(graph, config);
  if (history.length === 0) return 'its thread has no checkpoints';
  for (const snapshot of history) {
    givenIn(snapshot, ledger);
    for (const task of snapshot.tasks) {
      const said = await turnsAfter(graph, { ...snapshot, tasks: [task] }, undefined, ledger);
      if (!said.some((turn) => isSame(turn, wanted) && before-- === 0)) continue;
      if (snapshot.tasks.length > 1) return 'other steps ran beside it';
      if (task.state !== undefined) return 'it was said inside a graph of its own';
      return { snapshot, node: task.name, output: task.result };
    }
  }
  return 'its checkpoints do not have this turn, or have it in other words (a redactor may have taken some out)';
}

function isSame(one: TurnInput, other: TurnInput): boolean {
  return one.kind === other.kind && one.content === other.content && callsOf(one) === callsOf(other);
}

function callsOf({ toolCalls = [] }: TurnInput): string {
  return JSON.stringify(toolCalls.map(({ name, args }) => [name, args]));
}
