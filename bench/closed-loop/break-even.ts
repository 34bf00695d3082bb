import { groupedMean, type MeanInterval } from './mean-interval.js';

/** Up to which false-alarm rate per prefix a policy pays. */
export type BreakEven =
  | {
      readonly pays: 'up to';
      readonly rate: number;
      /** At `low` it pays for sure, at `high` it surely does not, with 95 % confidence each time. */
      readonly low: number;
      readonly high: number;
    }
  | { readonly pays: 'never' | 'always' };

/** Of a search over false-alarm rates, on a log scale; below that a run of 1,000 steps has hardly one false alarm. */
const LEAST = 1e-4;
const HALVINGS = 10;

/**
 * The largest rate at which an advantage is not below zero, by bisection; with common random numbers it falls with the rate.
 * @param advantageAt by task, at a false-alarm rate
 */
export function breakEven(
  advantageAt: (rate: number) => readonly number[],
  groups: readonly string[],
): BreakEven {
  const known = new Map<number, MeanInterval>();
  const at = (rate: number) => {
    const found = known.get(rate) ?? groupedMean(advantageAt(rate), groups);
    known.set(rate, found);
    return found;
  };
  const largest = (end: keyof MeanInterval): number => {
    if (at(0)[end] < 0) return 0;
    if (at(1)[end] >= 0) return 1;
    if (at(LEAST)[end] < 0) return LEAST;
    let [low, high] = [Math.log(LEAST), 0];
    for (let halving = 0; halving < HALVINGS; halving++) {
      const middle = (low + high) / 2;
      if (at(Math.exp(middle))[end] >= 0) low = middle;
      else high = middle;
    }
    return Math.exp(low);
  };
  const rate = largest('mean');
  if (at(0).mean <= 0) return { pays: 'never' };
  if (rate === 1) return { pays: 'always' };
  return { pays: 'up to', rate, low: largest('low'), high: largest('high') };
}
