import type { Interval } from './binomial-interval.js';

/**
 * How many of `batch` new healthy runs will alarm, at least `confidence` of the time, given that `exceeding` of the
 * `runs` calibrated on lie above the threshold. For scores without ties the number is beta-binomial with parameters
 * `exceeding + 1` and `runs - exceeding` (Vovk, "Conditional validity of inductive conformal predictors", 2012); ties
 * put it between that and the one with `exceeding` and `runs - exceeding + 1`, from which the lower end is taken.
 */
export function alarmsExpected(
  batch: number,
  { exceeding, runs }: { readonly exceeding: number; readonly runs: number },
  confidence: number,
): Interval {
  const tail = (1 - confidence) / 2;
  return {
    low: exceeding === 0 ? 0 : quantile(tail, batch, exceeding, runs - exceeding + 1),
    high: exceeding === runs ? batch : quantile(1 - tail, batch, exceeding + 1, runs - exceeding),
  };
}

/** The smallest count whose beta-binomial distribution function reaches `share`. */
function quantile(share: number, batch: number, a: number, b: number): number {
  let logTerm = 0;
  for (let i = 0; i < batch; i++) logTerm += Math.log((b + i) / (a + b + i));
  let sum = Math.exp(logTerm);
  let count = 0;
  while (sum < share && count < batch) {
    logTerm += Math.log(((batch - count) * (a + count)) / ((count + 1) * (b + batch - count - 1)));
    sum += Math.exp(logTerm);
    count++;
  }
  return count;
}
