import { type DecisionCount, DecisionCounts } from '../exporters/card/decision-counts.js';
import type { StageResult } from '../stage.js';

/** What became of a stage's input. */
export interface ResultCounts {
  /** Samples that it was given. */
  readonly in: number;
  /** Those that went on, as they were or as others made from them. */
  readonly kept: number;
  readonly dropped: number;
  /** Those about which something could not be decided. Most wait; where a part could be decided, that part goes on. */
  readonly undecided: number;
  /** Samples that it has handed on. */
  readonly out: number;
}

export class ResultTally {
  readonly #decisions = new DecisionCounts();
  #counts: ResultCounts = { in: 0, kept: 0, dropped: 0, undecided: 0, out: 0 };

  add(result: StageResult): void {
    for (const decision of result.decisions) this.#decisions.add(decision);
    const isKept = result.samples.length > 0;
    const waits = isUndecided(result);
    this.#counts = {
      in: this.#counts.in + 1,
      kept: this.#counts.kept + (isKept ? 1 : 0),
      dropped: this.#counts.dropped + (isKept || waits ? 0 : 1),
      undecided: this.#counts.undecided + (waits ? 1 : 0),
      out: this.#counts.out + result.samples.length,
    };
  }

  get counts(): ResultCounts {
    return this.#counts;
  }

  get decisions(): readonly DecisionCount[] {
    return this.#decisions.counts();
  }
}

export function isUndecided({ decisions }: StageResult): boolean {
  return decisions.some(({ verdict }) => verdict === 'undecided');
}
