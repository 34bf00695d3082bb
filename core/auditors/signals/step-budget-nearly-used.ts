import type { Check } from './check.js';

const NEARLY_USED = 0.9;

/** Nine tenths of the turns that the run may take are taken. Silent unless a step budget was set. */
export const stepBudgetNearlyUsed = {
  name: 'step-budget-nearly-used',
  grade: 'observation',
  find(prefix, { stepBudget }) {
    if (stepBudget === undefined || prefix.length < NEARLY_USED * stepBudget) return undefined;
    const { index, agent } = prefix.newest;
    return { step: index, agent, reason: `Takes turn ${prefix.length} of a budget of ${stepBudget}.` };
  },
} as const satisfies Check;
