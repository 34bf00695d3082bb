import type { ModelCall } from '../core/index.js';

/** What model calls took, as their notes tell. */
export interface CallCost {
  readonly calls: number;
  /** Calls that brought no answer. */
  readonly failed: number;
  readonly inputTokens: number;
  /** Part of `inputTokens`. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Calls that brought an answer whose price is not known. */
  readonly unpriced: number;
  /** Money, in the currency of the auditor's prices, of the calls whose price is known. */
  readonly cost: number;
}

export class CallCostTally implements CallCost {
  calls = 0;
  failed = 0;
  inputTokens = 0;
  cachedInputTokens = 0;
  outputTokens = 0;
  unpriced = 0;
  cost = 0;

  add(call: ModelCall): void {
    this.calls++;
    if (call.failed !== undefined) this.failed++;
    this.inputTokens += call.inputTokens ?? 0;
    this.cachedInputTokens += call.cachedInputTokens ?? 0;
    this.outputTokens += call.outputTokens ?? 0;
    this.cost += call.cost ?? 0;
    if (call.cost === undefined && call.failed === undefined) this.unpriced++;
  }
}
