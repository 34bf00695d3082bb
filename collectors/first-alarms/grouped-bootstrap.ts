import type { Interval } from '../../core/index.js';
import { randomNumbers } from '../probe/random-numbers.js';

/** Sums by name: those of one group of runs, or of many. */
type Sums<Counts> = { readonly [Name in keyof Counts]: number };

/**
 * Draws as many groups as there are, with replacement, and adds them up; again for each resample. Runs of one group are
 * no independent evidence, so they are drawn together. All metrics are read from the same resamples.
 * @param groups the sums of each: what a seed draws depends on their order
 */
export function groupedBootstrap<Counts extends Sums<Counts>>(
  groups: readonly Counts[],
  resamples: number,
  seed: number,
): readonly Counts[] {
  const [first] = groups;
  if (!first) return [];
  const names = Object.keys(first) as (keyof Counts)[];
  const rows = groups.map((group) => Float64Array.from(names, (name) => group[name]));
  const random = randomNumbers(seed);
  const sum = new Float64Array(names.length);
  return Array.from({ length: resamples }, () => {
    sum.fill(0);
    for (let draw = 0; draw < rows.length; draw++) {
      const row = rows[Math.floor(random() * rows.length)] as Float64Array;
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (row[at] as number);
    }
    return Object.fromEntries(names.map((name, at) => [name, sum[at]])) as unknown as Counts;
  });
}

/** The range that holds the middle `confidence` of the values. @returns undefined for none */
export function percentileInterval(values: readonly number[], confidence: number): Interval | undefined {
  const ascending = Float64Array.from(values).sort();
  const tail = (1 - confidence) / 2;
  const at = (share: number) => ascending[Math.floor(share * (ascending.length - 1))];
  const [low, high] = [at(tail), at(1 - tail)];
  return low === undefined || high === undefined ? undefined : { low, high };
}
