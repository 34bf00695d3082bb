import type { CheckName } from './index.js';

/** A check's first fires over a set of runs, failed and healthy ones. */
interface FirstFires {
  /** Those that name the labelled decisive step. */
  readonly exact: number;
  readonly all: number;
}

/**
 * Measured on the 951 failed and 993 healthy training rows of AFTraj-2K, every prefix walked. `unknown-tool` never fires
 * there, and no run has a step budget.
 */
export const firstFires: Readonly<Record<CheckName, FirstFires>> = {
  'contradicts-pass': { exact: 69, all: 72 },
  'broken-after-pass': { exact: 25, all: 25 },
  'unproduced-expectation': { exact: 34, all: 43 },
  'misquotes-result': { exact: 161, all: 220 },
  'skips-verification': { exact: 82, all: 82 },
  'tool-failure': { exact: 59, all: 94 },
  'false-arithmetic': { exact: 6, all: 10 },
  'unsupported-claim': { exact: 26, all: 564 },
  'claims-pass-after-failure': { exact: 0, all: 40 },
  'invalid-tool-call': { exact: 55, all: 556 },
  'unknown-tool': { exact: 0, all: 0 },
  'exact-repetition': { exact: 6, all: 119 },
  'empty-output': { exact: 0, all: 8 },
  'simulated-code': { exact: 2, all: 14 },
  'unseen-number': { exact: 165, all: 446 },
  'step-budget-nearly-used': { exact: 0, all: 0 },
};

/** Of a check that was never seen to fire: it must count for something, and outweigh nothing. */
const UNMEASURED = 0.01;

/**
 * The findings of one turn as a number: 0 without any, and each one more makes it higher. Evidence, not a probability that
 * was validated: a noisy-or takes the checks for independent, and what each weighs is its precision on one dataset. The
 * measured share is drawn half a fire towards one half (Jeffreys), so that no check is ever certain.
 */
export function evidence(found: readonly CheckName[]): number {
  return 1 - found.reduce((doubt, check) => doubt * (1 - weight(firstFires[check])), 1);
}

function weight({ exact, all }: FirstFires): number {
  return all === 0 ? UNMEASURED : (exact + 0.5) / (all + 1);
}
