import { z } from 'zod';
import { countTokens, readOptions } from '../../core/index.js';
import type { Judge } from './judge.js';

const budgetSchema = z.strictObject({
  calls: z.int().nonnegative().optional(),
  tokens: z.int().nonnegative().optional(),
  cost: z.number().nonnegative().optional(),
});

/** What a judge may take. Limits that are left out do not bind. */
export interface JudgeBudget {
  /** Questions; a retry of the client's is none. */
  readonly calls?: number | undefined;
  /** Input and output together. */
  readonly tokens?: number | undefined;
  /** In the currency of the judge's `prices`, without which nothing is ever spent. */
  readonly cost?: number | undefined;
}

export interface BudgetedJudge extends Judge {
  readonly spent: { readonly calls: number; readonly tokens: number; readonly cost: number };
}

/**
 * Once the budget is spent, every question is a failure of kind `budget`. Questions under way then are finished: tokens
 * and money may go over by those, calls never. Where the judge tells no tokens, as with a failure, those of the question
 * are counted.
 * @throws SetupError on an unknown or malformed limit
 */
export function budgeted(judge: Judge, budget: JudgeBudget): BudgetedJudge {
  const limits = readOptions('budgeted', budgetSchema, budget);
  const spent = { calls: 0, tokens: 0, cost: 0 };
  return {
    name: judge.name,
    get spent() {
      return { ...spent };
    },
    async ask(question, signal) {
      const over = (['calls', 'tokens', 'cost'] as const).find(
        (unit) => spent[unit] >= (limits[unit] ?? Infinity),
      );
      if (over !== undefined)
        return {
          failure: { kind: 'budget', message: `${spent[over]} of ${limits[over]} ${over} are spent` },
        };
      spent.calls++;
      const reply = await judge.ask(question, signal);
      const { tokens, cost = 0 } = reply.usage ?? {};
      spent.tokens +=
        tokens ?? (limits.tokens === undefined ? 0 : countTokens(question.system + question.prompt));
      spent.cost += cost;
      return reply;
    },
  };
}
