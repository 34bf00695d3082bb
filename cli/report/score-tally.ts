import type { LoggedRun } from '../../core/index.js';
import { Numbers } from './numbers.js';

const BINS = 20;

/** Edges of the bins of a score, 0 to 1. */
export const SCORE_EDGES: readonly number[] = Array.from({ length: BINS + 1 }, (_, bin) => bin / BINS);

/** Where the scores of verdicts lie. Quantiles are null without any. */
export interface ScoreSummary {
  readonly scored: number;
  readonly median: number | null;
  readonly p95: number | null;
  readonly max: number | null;
  /** Verdicts per twentieth, from 0 up. */
  readonly continues: readonly number[];
  readonly alarms: readonly number[];
}

export class ScoreTally {
  readonly #all = new Numbers();
  readonly #continues = new Numbers();
  readonly #alarms = new Numbers();

  add({ verdicts }: LoggedRun): void {
    for (const { verdict } of verdicts) {
      if (verdict.score === undefined) continue;
      this.#all.add(verdict.score);
      (verdict.kind === 'alarm' ? this.#alarms : this.#continues).add(verdict.score);
    }
  }

  summary(): ScoreSummary {
    return {
      scored: this.#all.length,
      median: this.#all.quantile(0.5),
      p95: this.#all.quantile(0.95),
      max: this.#all.quantile(1),
      continues: this.#continues.histogram(SCORE_EDGES),
      alarms: this.#alarms.histogram(SCORE_EDGES),
    };
  }
}
