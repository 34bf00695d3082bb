import type { StageDecision } from '../../stage.js';

export interface DecisionCount {
  readonly rule: string;
  readonly verdict: StageDecision['verdict'];
  readonly reason: string;
  readonly count: number;
}

/** A model's reasons are as many as its answers: only so many of each rule are told apart. */
const REASONS = 12;
const OTHERS = '(other reasons)';

/** What a stage decided, counted by rule, verdict and reason. */
export class DecisionCounts {
  readonly #byRule = new Map<string, Map<string, number>>();

  add({ rule, verdict, reason }: Pick<StageDecision, 'rule' | 'verdict' | 'reason'>): void {
    const place = JSON.stringify([rule, verdict]);
    const reasons = this.#byRule.get(place) ?? new Map<string, number>();
    this.#byRule.set(place, reasons);
    const told = reasons.has(reason) || reasons.size < REASONS ? reason : OTHERS;
    reasons.set(told, (reasons.get(told) ?? 0) + 1);
  }

  /** By rule and verdict, the most frequent reason first. */
  counts(): readonly DecisionCount[] {
    return [...this.#byRule]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([place, reasons]) => {
        const [rule, verdict] = JSON.parse(place) as [string, StageDecision['verdict']];
        return [...reasons]
          .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
          .map(([reason, count]) => ({ rule, verdict, reason, count }));
      });
  }
}
