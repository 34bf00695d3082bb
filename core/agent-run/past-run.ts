import type { RunInfo } from '../run-info.js';
import type { Turn, TurnInput } from '../turn.js';

/** A call that a model has made and no tool has answered yet. */
export interface OpenCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly agent: string;
}

/** A run that was stopped, by an alarm or to ask a human, as the run that takes it up needs to know it. */
export interface PastRun {
  readonly runId: string;
  readonly task: string;
  readonly turns: readonly Turn[];
  /** Ids of turns whose alarm has been overridden; who takes a run up overrides the one that stopped it. */
  readonly overridden: readonly string[];
  /** Ids of turns that were due for an audit and had none: they are submitted again, and judged first. */
  readonly unjudged: readonly string[];
  readonly openCalls: readonly OpenCall[];
  /** How often the run was taken up before. */
  readonly generation: number;
  /** How often it went back to before a blamed turn. */
  readonly recoveries: number;
  /** Ids of turns that going back has undone; they are not among `turns`. */
  readonly undone: readonly string[];
}

/** How a session is told of it. @param given what was said since, by the user or a human who was asked */
export function continuing(
  past: PastRun,
  given: readonly TurnInput[],
): Pick<RunInfo, 'continues' | 'given' | 'overridden'> {
  const { runId, recoveries, overridden, unjudged } = past;
  const undone = [...past.undone, ...unjudged];
  const continues = {
    runId,
    turns: past.turns.filter(({ id }) => !unjudged.includes(id)),
    recoveries,
    undone: undone.length > 0 ? undone : undefined,
  };
  return { continues, given, overridden };
}

/** What the run had said when it was stopped, and nobody has judged. */
export function owedTurns({ turns, unjudged }: PastRun): TurnInput[] {
  const owed = turns.filter(({ id }) => unjudged.includes(id));
  return owed.map(({ given: _given, ...turn }) => ({ ...turn, path: [] }));
}
