/** A range of shares, both ends included. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Halvings that take a range of width 1 below the spacing of doubles near any end that matters. */
const HALVINGS = 60;

/**
 * The shares that are compatible with `hits` of `trials`, at least `confidence` of the time whatever the true one is:
 * Clopper and Pearson, Biometrika 26 (1934), 404-413. Each end is where the exact binomial tail falls to half of what is
 * left; found by bisection, which needs no beta function.
 */
export function clopperPearson(hits: number, trials: number, confidence: number): Interval {
  const tail = (1 - confidence) / 2;
  return {
    low: hits === 0 ? 0 : bisect((share) => 1 - atMost(hits - 1, trials, share) < tail),
    high: hits === trials ? 1 : bisect((share) => atMost(hits, trials, share) > tail),
  };
}

/** P(at most `hits` of `trials`) when each hits with probability `share`. Terms are kept as logarithms: the first underflows early. */
export function atMost(hits: number, trials: number, share: number): number {
  if (share <= 0 || hits >= trials) return 1;
  if (share >= 1) return 0;
  const logOdds = Math.log(share) - Math.log1p(-share);
  let logTerm = trials * Math.log1p(-share);
  let sum = Math.exp(logTerm);
  for (let k = 1; k <= hits; k++) {
    logTerm += Math.log((trials - k + 1) / k) + logOdds;
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}

/** Where `isBelow` turns from true to false between 0 and 1. */
function bisect(isBelow: (share: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
