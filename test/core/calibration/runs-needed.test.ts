import { expect, it } from 'vitest';
import { clopperPearson } from '../../../core/calibration/binomial-interval.js';
import { fewestRuns, mayExceed, runsForUpperEnd } from '../../../core/calibration/runs-needed.js';

it.each([
  [0.1, 9],
  [0.05, 19],
  [0.01, 99],
  [0.07, 14],
  [0.5, 1],
])('a false-alarm rate of %f needs %i runs, and one fewer is too few', (far, fewest) => {
  expect(fewestRuns(far)).toBe(fewest);
  expect(mayExceed(fewest, far)).toBe(1);
  expect(mayExceed(fewest - 1, far)).toBe(0);
});

it('counts exactly where floating point does not: 0.29 of 100 runs are 29', () => {
  expect(mayExceed(99, 0.29)).toBe(29);
});

it.each([0.05, 0.1])('so many runs bring the upper end under 1.5 x %f, and half as many do not', (far) => {
  const enough = runsForUpperEnd(far, 1.5, 0.95);
  const highFor = (runs: number) => clopperPearson(mayExceed(runs, far) - 1, runs, 0.95).high;
  expect(highFor(enough)).toBeLessThanOrEqual(1.5 * far);
  expect(highFor(Math.floor(enough / 2))).toBeGreaterThan(1.5 * far);
});
