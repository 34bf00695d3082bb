import { describe, expect, it } from 'vitest';
import { firstAlarm } from '../../../core/calibration/first-alarm.js';
import { fitThresholds } from '../../../core/calibration/fit-thresholds.js';
import type { ScoredRun } from '../../../core/calibration/scored-run.js';
import { Draws, type Simulation, simulatedRuns } from '../../support/simulated-runs.js';

// What docs/calibration.md promises, over many calibrations on runs whose true false-alarm rate can be told.

const FAR = 0.05;
const CALIBRATIONS = 200;
/** Three standard errors over that many calibrations: of a mean rate that varies by 0.03, and of a share near 0.95. */
const MONTE_CARLO = {
  far: (3 * 0.03) / Math.sqrt(CALIBRATIONS),
  covered: 3 * Math.sqrt((0.95 * 0.05) / CALIBRATIONS),
};

const share = (runs: readonly ScoredRun[], isAlarm: (run: ScoredRun) => boolean) =>
  runs.filter(isAlarm).length / runs.length;

function simulate(count: number, simulation: Simulation) {
  const draws = new Draws(20_26);
  const healthy = simulatedRuns(2_000, draws, simulation);
  const failed = simulatedRuns(200, draws, { ...simulation, failed: true });
  const sums = { far: 0, covered: 0, found: 0, foundByConstant: 0, farPerPrefix: 0 };
  for (let i = 0; i < CALIBRATIONS; i++) {
    const given = simulatedRuns(count, draws, simulation);
    const fit = fitThresholds(given, { far: FAR });
    if ('missing' in fit) throw new Error('too few runs');
    const far = share(healthy, ({ scores }) => firstAlarm(scores, fit.thresholds) !== undefined);
    sums.far += far;
    if (far >= fit.interval.low && far <= fit.interval.high) sums.covered++;
    sums.found += share(failed, ({ scores }) => firstAlarm(scores, fit.thresholds) !== undefined);
    const highest = given.map(({ scores }) => Math.max(...scores.map(({ score }) => score)));
    const constant = quantile(highest, 1 - FAR);
    sums.foundByConstant += share(failed, ({ scores }) => scores.some(({ score }) => score > constant));
    const ofPrefixes = quantile(
      given.flatMap(({ scores }) => scores.map(({ score }) => score)),
      1 - FAR,
    );
    sums.farPerPrefix += share(healthy, ({ scores }) => scores.some(({ score }) => score > ofPrefixes));
  }
  return Object.fromEntries(
    Object.entries(sums).map(([name, sum]) => [name, sum / CALIBRATIONS]),
  ) as typeof sums;
}

function quantile(values: readonly number[], at: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(at * values.length) - 1] as number;
}

describe.each<[string, Simulation]>([
  ['any value', {}],
  ['two digits', { rounded: (score) => Math.round(score * 100) / 100 }],
  ['five values', { rounded: (score) => (score < 0.2 ? 0 : Math.round(score * 5) / 5) }],
  ['zero or one', { rounded: (score) => (score > 0.6 ? 1 : 0) }],
])('scores of %s', (_, simulation) => {
  it.each([60, 300])(
    'from %i runs: the rate is kept on average, and the interval holds as often as it says',
    (count) => {
      const { far, covered } = simulate(count, simulation);
      expect(far).toBeLessThan(FAR + MONTE_CARLO.far);
      expect(covered).toBeGreaterThan(0.95 - MONTE_CARLO.covered);
    },
  );
});

it('scores that rise by nature: one threshold for all steps misses early mistakes, one fit to single prefixes keeps no rate', () => {
  const { found, foundByConstant, farPerPrefix } = simulate(300, {});
  expect(found).toBeGreaterThan(0.8);
  expect(foundByConstant).toBeLessThan(0.4);
  expect(farPerPrefix).toBeGreaterThan(4 * FAR);
});
