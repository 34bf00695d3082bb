import type { LoggedRun, ModelCall } from '../../core/index.js';
import { type CallCost, CallCostTally } from '../call-cost.js';
import { notesOf } from './logged-audits.js';
import { Numbers } from './numbers.js';

export interface PurposeCost extends CallCost {
  readonly purpose: ModelCall['purpose'];
}

/** What the auditors' prompts left out. */
export interface CutSummary {
  /** Audits on less than the whole prefix. */
  readonly audits: number;
  /** Turns shortened or left out in the worst of them, and tokens. */
  readonly mostTurns: number;
  readonly mostTokens: number;
}

export interface CostSummary extends CallCost {
  readonly byPurpose: readonly PurposeCost[];
  /** Of one run: half of them cost no more, and 95 % no more. */
  readonly perRun: {
    readonly median: number | null;
    readonly p95: number | null;
    readonly max: number | null;
  };
  readonly cuts: CutSummary;
}

/** Adds up what auditors' models took. */
export class CostTally {
  /** Money after each run, in the order of the log. */
  readonly cumulativeCost: number[] = [];
  /** Tokens, in and out, after each run. */
  readonly cumulativeTokens: number[] = [];
  readonly #all = new CallCostTally();
  readonly #byPurpose = new Map<ModelCall['purpose'], CallCostTally>();
  readonly #perRun = new Numbers();
  #cutAudits = 0;
  #mostTurns = 0;
  #mostTokens = 0;

  add(logged: LoggedRun): void {
    const before = this.#all.cost;
    for (const { note } of notesOf(logged)) {
      if (note.type === 'call') this.#call(note);
      if (note.type !== 'cut') continue;
      this.#cutAudits++;
      this.#mostTurns = Math.max(this.#mostTurns, note.turns);
      this.#mostTokens = Math.max(this.#mostTokens, note.tokens);
    }
    this.#perRun.add(this.#all.cost - before);
    this.cumulativeCost.push(this.#all.cost);
    this.cumulativeTokens.push(this.#all.inputTokens + this.#all.outputTokens);
  }

  summary(): CostSummary {
    return {
      ...this.#all,
      byPurpose: [...this.#byPurpose].map(([purpose, cost]) => ({ purpose, ...cost })),
      perRun: {
        median: this.#perRun.quantile(0.5),
        p95: this.#perRun.quantile(0.95),
        max: this.#perRun.quantile(1),
      },
      cuts: { audits: this.#cutAudits, mostTurns: this.#mostTurns, mostTokens: this.#mostTokens },
    };
  }

  #call(call: ModelCall): void {
    this.#all.add(call);
    const purpose = this.#byPurpose.get(call.purpose) ?? new CallCostTally();
    this.#byPurpose.set(call.purpose, purpose);
    purpose.add(call);
  }
}
