import { expect, it } from 'vitest';
import { atMost, clopperPearson } from '../../../core/calibration/binomial-interval.js';

/** As R's binom.test gives them. */
it.each([
  [0, 20, 0.95, 0, 0.1684335],
  [5, 100, 0.95, 0.0164319, 0.1128349],
  [10, 10, 0.95, 0.6915029, 1],
  [0, 1, 0.95, 0, 0.975],
  [1, 2, 0.95, 0.0125791, 0.9874209],
])('%i of %i at %f lies in [%f, %f]', (hits, trials, confidence, low, high) => {
  const interval = clopperPearson(hits, trials, confidence);
  expect(interval.low).toBeCloseTo(low, 6);
  expect(interval.high).toBeCloseTo(high, 6);
});

it('agrees with the closed forms at no hit and at all hits, for many trials too', () => {
  for (const trials of [1, 7, 300, 100_000]) {
    expect(clopperPearson(0, trials, 0.9).high).toBeCloseTo(1 - 0.05 ** (1 / trials), 10);
    expect(clopperPearson(trials, trials, 0.9).low).toBeCloseTo(0.05 ** (1 / trials), 10);
  }
});

it('mirrors: the hits and the misses are one matter', () => {
  const hits = clopperPearson(13, 40, 0.95);
  const misses = clopperPearson(27, 40, 0.95);
  expect(hits.low).toBeCloseTo(1 - misses.high, 10);
  expect(hits.high).toBeCloseTo(1 - misses.low, 10);
});

it('a tail sums to one over all counts, and does not underflow where its first term does', () => {
  expect(atMost(3, 10, 0.4)).toBeCloseTo(0.3822806, 6);
  expect(atMost(5_000, 10_000, 0.5)).toBeCloseTo(0.5 + 0.00398939, 5);
  expect([atMost(0, 5, 0), atMost(4, 5, 1), atMost(5, 5, 1)]).toEqual([1, 0, 1]);
});
