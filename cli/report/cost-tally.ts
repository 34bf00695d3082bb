import type { LoggedRun, ModelCall } from '../../core/index.js';
import { type CallCost, CallCostTally } from '../call-cost.js';
import { notesOf } from './logged-audits.js';
import { Numbers } from './numbers.js';

export interface PurposeCost extends CallCost {
  readonly purpose: ModelCall['purpose'];
}

export interface AuditorCost extends CallCost {
  readonly auditor: string;
  /** A candidate, whose verdicts do not count; what it takes is no part of a run's budget. */
  readonly isShadow: boolean;
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
  readonly byAuditor: readonly AuditorCost[];
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
  readonly #byAuditor = new Map<string, { readonly isShadow: boolean; readonly cost: CallCostTally }>();
  readonly #perRun = new Numbers();
  #cutAudits = 0;
  #mostTurns = 0;
  #mostTokens = 0;

  add(logged: LoggedRun): void {
    const before = this.#all.cost;
    for (const { note } of notesOf(logged)) {
      if (note.type === 'call') this.#call(note, note.auditor ?? logged.run.auditor);
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
      byAuditor: [...this.#byAuditor].map(([auditor, { isShadow, cost }]) => ({
        auditor,
        isShadow,
        ...cost,
      })),
      byPurpose: [...this.#byPurpose].map(([purpose, cost]) => ({ purpose, ...cost })),
      perRun: {
        median: this.#perRun.quantile(0.5),
        p95: this.#perRun.quantile(0.95),
        max: this.#perRun.quantile(1),
      },
      cuts: { audits: this.#cutAudits, mostTurns: this.#mostTurns, mostTokens: this.#mostTokens },
    };
  }

  #call(call: ModelCall, name: string): void {
    this.#all.add(call);
    const auditor = this.#byAuditor.get(name) ?? {
      isShadow: call.shadow === true,
      cost: new CallCostTally(),
    };
    this.#byAuditor.set(name, auditor);
    auditor.cost.add(call);
    const purpose = this.#byPurpose.get(call.purpose) ?? new CallCostTally();
    this.#byPurpose.set(call.purpose, purpose);
    purpose.add(call);
  }
}
