import { HumanMessage } from '@langchain/core/messages';
import type { HaltDetails, Turn, TurnPath } from '../../core/index.js';
import type { EarlierRun } from './earlier-run.js';
import type { TaskPlace } from './task.js';

/** A way back to before a blamed step. */
export interface Recovery {
  /** The step to do again. */
  readonly place: TaskPlace;
  /** What the agent is told on its second try. */
  readonly hint: HumanMessage;
  /**
   * The past as the next try knows it, when it begins at `place`: at the blamed step, or at one that encloses it.
   * @param known messages that stand in the checkpoint
   */
  earlierAt(place: TaskPlace, known: readonly unknown[]): EarlierRun;
}

/**
 * @param earlier the stopped run, to be taken up before the blamed step
 * @param places where each of its turns was said
 * @param recoveries how often the run has gone back, this time included
 * @returns nothing when the blamed turn was not said by a node of this run
 */
export function recoveryFrom(
  { alarm, turns }: HaltDetails,
  earlier: EarlierRun,
  places: ReadonlyMap<string, TaskPlace>,
  recoveries: number,
): Recovery | undefined {
  const blamed = alarm && turns[alarm.step];
  const place = blamed && places.get(askerOf(blamed, turns).id);
  if (!place) return undefined;
  const hint = new HumanMessage({ id: crypto.randomUUID(), content: hintOf(alarm.reason) });
  return {
    place,
    hint,
    earlierAt: (goal, known) => {
      // What an earlier try kept is given now, and its place stands among the others.
      const isKept = (turn: Turn) => {
        const path = places.get(turn.id)?.path ?? turn.path;
        return path.length === 0 || isBefore(path, goal.path);
      };
      const own = earlier.turns as readonly Turn[];
      return {
        ...earlier,
        turns: own.filter(isKept),
        rewound: {
          recoveries,
          undone: own.filter((turn) => !isKept(turn)).map(({ id }) => id),
          hint,
          hintsRoot: goal.outer === undefined,
          known,
        },
      };
    },
  };
}

function hintOf(reason: string): string {
  return `An auditor reviewed this step and found it wrong: ${reason}\nDo it again, and avoid that mistake.`;
}

/** A tool's result is put right by whoever asked for it; a tool that is run again says the same again. */
function askerOf(blamed: Turn, turns: readonly Turn[]): Turn {
  const { toolCallId } = blamed;
  if (blamed.kind !== 'tool' || toolCallId === undefined) return blamed;
  return turns.findLast(({ toolCalls }) => toolCalls?.some(({ id }) => id === toolCallId)) ?? blamed;
}

/** Whether a turn was said before the task at `goal` began; LangGraph does what ran beside it again too. */
function isBefore(path: TurnPath, goal: TurnPath): boolean {
  for (const [depth, { step, lane }] of goal.entries()) {
    const own = path[depth];
    if (own === undefined) return false;
    if (own.step !== step) return own.step < step;
    if (own.lane !== lane) return false;
  }
  return false;
}
