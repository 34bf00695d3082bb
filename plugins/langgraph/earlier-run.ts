import type { BaseMessage } from '@langchain/core/messages';
import type { Turn, TurnInput } from '../../core/index.js';
import type { TaskPlace } from './task.js';
import type { Ledger } from './to-turn.js';

/** A thread's past, as the next invocation on the thread needs to know it. */
export interface EarlierRun {
  /** The run that came before, in this process; a past that was read from checkpoints has none. */
  readonly runId: string | undefined;
  readonly task: string;
  readonly turns: readonly (Turn | TurnInput)[];
  readonly completed: boolean;
  /** Ids of turns whose alarm has been overridden. */
  readonly overridden: readonly string[];
  /** The turn that the run's own alarm blamed: taking the run up overrides it, too. */
  readonly blamed: string | undefined;
  /** Ids of turns that were due for an audit and had none. */
  readonly unjudged: readonly string[];
  /** Where each turn was said, for going back there. */
  readonly places: ReadonlyMap<string, TaskPlace>;
  /** How often the thread was taken up before. */
  readonly generation: number;
  /** What has been told of the thread. */
  readonly ledger: Ledger;
  /** Set for a run that went back to before a blamed step. */
  readonly rewound: Rewound | undefined;
}

export interface Rewound {
  /** How often, this time included. */
  readonly recoveries: number;
  /** Ids of turns that it undid; they are not among `turns`. */
  readonly undone: readonly string[];
  /** Tells the agent what was wrong. It is told as a turn where the agent is given it, if it is. */
  readonly hint: BaseMessage;
  /** Whether it is added to the root graph's conversation. */
  readonly hintsRoot: boolean;
  /** Messages that stood in the checkpoint: they were told before. */
  readonly known: readonly unknown[];
}

/**
 * How a session is told of it. A stopped run's turns stand in the log under its own id; those of a completed one, as of
 * a chat, and those that were read from checkpoints are told again.
 */
export function pastOf(earlier: EarlierRun, told: readonly TurnInput[]) {
  const { runId, turns, completed, overridden, places, rewound } = earlier;
  if (runId === undefined || completed) return { given: [...turns, ...told], overridden };
  // A turn may be both: what was said after the alarm, by a step that is done again.
  const undone = [...new Set([...(rewound?.undone ?? []), ...earlier.unjudged])];
  const continues = {
    runId,
    turns: turns.filter(({ id }) => id === undefined || !earlier.unjudged.includes(id)),
    recoveries: rewound?.recoveries,
    undone: undone.length > 0 ? undone : undefined,
  };
  return { continues, given: told, overridden, revisable: rewound ? [...places.keys()] : [] };
}

/** The same past when the run is taken up. */
export function overriding(earlier: EarlierRun, blamed = earlier.blamed): EarlierRun {
  if (blamed === undefined) return earlier;
  return { ...earlier, overridden: [...earlier.overridden, blamed], blamed: undefined };
}

/** What the run had said when it was stopped, and nobody has judged: it is submitted again, and judged first. */
export function owedTurns({ turns, unjudged, completed }: EarlierRun): TurnInput[] {
  const owed = completed ? [] : turns.filter(({ id }) => id !== undefined && unjudged.includes(id));
  return owed.map(({ given: _given, ...turn }) => ({ ...turn, path: [] }));
}
