import { expect, it } from 'vitest';
import { alarmsExpected } from '../../../core/calibration/alarms-expected.js';
import { Draws } from '../../support/simulated-runs.js';

it('nothing above the threshold of 19 runs: one new run alarms with probability 1/20, so none is the rule', () => {
  const of19 = { exceeding: 0, runs: 19 };
  expect(alarmsExpected(1, of19, 0.9)).toEqual({ low: 0, high: 0 });
  expect(alarmsExpected(1, of19, 0.91)).toEqual({ low: 0, high: 1 });
  expect(alarmsExpected(0, of19, 0.95)).toEqual({ low: 0, high: 0 });
});

/** Beta-binomial(10, 20, 1): all ten with 20/30, one less 0.230, two less 0.074, so 3.0 % for fewer. */
it('everything above it: all of the batch alarms but for chance', () => {
  expect(alarmsExpected(10, { exceeding: 20, runs: 20 }, 0.9)).toEqual({ low: 8, high: 10 });
});

/**
 * The threshold is the 57th of 60 uniform scores, so 3 lie above. Drawn anew each time, with a batch of 40 new ones, the
 * number above it must stay within the interval nearly always, and not by being idly wide.
 */
it('covers what happens to a batch, as often as it says', () => {
  const draws = new Draws(7);
  const { low, high } = alarmsExpected(40, { exceeding: 3, runs: 60 }, 0.9);
  let within = 0;
  for (let trial = 0; trial < 4_000; trial++) {
    const threshold = Array.from({ length: 60 }, () => draws.uniform()).sort((a, b) => a - b)[56] as number;
    const alarms = Array.from({ length: 40 }, () => draws.uniform()).filter(
      (score) => score > threshold,
    ).length;
    if (alarms >= low && alarms <= high) within++;
  }
  expect(within / 4_000).toBeGreaterThan(0.9);
  expect(high).toBeLessThan(10);
});
