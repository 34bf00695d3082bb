import { clopperPearson } from './binomial-interval.js';

/** Keeps `100 * 0.29` from counting as 28. */
const ROUNDING = 1e-9;

/**
 * How many of `runs + 1` exchangeable runs, the next one included, may lie above the threshold: below 1 there is no finite
 * threshold that keeps the promise.
 */
export function mayExceed(runs: number, far: number): number {
  return Math.floor((runs + 1) * far + ROUNDING);
}

/** The fewest runs to calibrate on for which a finite threshold exists: 19 for a false-alarm rate of 0.05. */
export function fewestRuns(far: number): number {
  return Math.ceil(1 / far - ROUNDING) - 1;
}

/** Beyond this the answer is of no use to anybody. */
const MOST_RUNS = 10_000_000;

/** About how many runs to calibrate on bring the upper end of the interval down to `factor` times `far`. */
export function runsForUpperEnd(far: number, factor: number, confidence: number): number {
  const isEnough = (runs: number) =>
    clopperPearson(mayExceed(runs, far) - 1, runs, confidence).high <= factor * far;
  let enough = fewestRuns(far);
  while (!isEnough(enough) && enough < MOST_RUNS) enough *= 2;
  let tooFew = Math.floor(enough / 2);
  while (enough - tooFew > Math.max(1, enough / 100)) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
