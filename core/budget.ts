import { z } from 'zod';
import type { ModelCall } from './audit-note.js';

export const budgetSchema = z
  .strictObject({
    calls: z.int().positive().optional(),
    tokens: z.int().positive().optional(),
    cost: z.number().positive().optional(),
    whenSpent: z.enum(['proceed', 'halt']),
  })
  .refine(({ calls, tokens, cost }) => calls !== undefined || tokens !== undefined || cost !== undefined, {
    error: 'sets no limit; give calls, tokens or cost',
  });

/**
 * What auditing one run may take. It is looked at before each audit: what is under way is finished, and may go over. A call of
 * which the server tells no usage, or the auditor no price, spends no tokens or money, and that is reported once a run;
 * `calls` bounds those too.
 */
export interface Budget {
  /** Model calls, retries not counted. */
  readonly calls?: number | undefined;
  /** Input and output tokens together, cached ones included. */
  readonly tokens?: number | undefined;
  /** Money, in the currency of the auditor's prices. */
  readonly cost?: number | undefined;
  /** What becomes of the run then: it goes on unaudited, each missing audit a failure of kind `budget`; or it is halted. */
  readonly whenSpent: 'proceed' | 'halt';
}

/** What auditing one run has taken so far. */
export class Spending {
  readonly #budget: Budget | undefined;
  #calls = 0;
  #tokens = 0;
  #cost = 0;

  constructor(budget: Budget | undefined) {
    this.#budget = budget;
  }

  /** @returns what an answered call has left unsaid though there is a limit on it */
  add(call: ModelCall): 'tokens' | 'cost' | undefined {
    const { inputTokens = 0, outputTokens = 0, cost = 0 } = call;
    this.#calls++;
    this.#tokens += inputTokens + outputTokens;
    this.#cost += cost;
    const { tokens, cost: money } = this.#budget ?? {};
    if (call.failed !== undefined) return undefined;
    if (tokens !== undefined && (call.inputTokens ?? call.outputTokens) === undefined) return 'tokens';
    return money !== undefined && call.cost === undefined ? 'cost' : undefined;
  }

  /** Which limit is reached, for people; nothing while there is something left. */
  get exhausted(): string | undefined {
    if (!this.#budget) return undefined;
    const { calls, tokens, cost } = this.#budget;
    if (calls !== undefined && this.#calls >= calls)
      return `${this.#calls} of ${calls} model calls are spent`;
    if (tokens !== undefined && this.#tokens >= tokens)
      return `${this.#tokens} of ${tokens} tokens are spent`;
    if (cost !== undefined && this.#cost >= cost)
      return `${Number(this.#cost.toPrecision(6))} of ${cost} in money is spent`;
    return undefined;
  }
}
