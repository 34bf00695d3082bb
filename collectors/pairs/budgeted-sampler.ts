import type { PolicySampler } from './policy-sampler.js';

export interface SamplingBudget {
  /** Replies asked for. */
  readonly calls?: number | undefined;
  /** Of prompts and replies together. What is under way when they are spent is finished, and may go over. */
  readonly tokens?: number | undefined;
}

/** Asks no more once the budget is spent: each further reply is a failure of kind `budget`. */
export function budgetedSampler(sampler: PolicySampler, { calls, tokens }: SamplingBudget): PolicySampler {
  const { name, parameters } = sampler;
  let asked = 0;
  let used = 0;
  const spent = () =>
    (calls !== undefined && asked >= calls && `${calls} calls are spent`) ||
    (tokens !== undefined && used >= tokens && `${used} of ${tokens} tokens are spent`);
  return {
    name,
    parameters,
    async sample(prompt, number, signal) {
      const message = spent();
      if (message) return { failure: { kind: 'budget', message } };
      asked++;
      const drawn = await sampler.sample(prompt, number, signal);
      if (!drawn.failure) used += drawn.tokens ?? 0;
      return drawn;
    },
  };
}
