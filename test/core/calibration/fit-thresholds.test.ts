import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstAlarm } from '../../../core/calibration/first-alarm.js';
import { type Fit, type FitOptions, fitThresholds } from '../../../core/calibration/fit-thresholds.js';
import { mayExceed } from '../../../core/calibration/runs-needed.js';
import type { ScoredRun } from '../../../core/calibration/scored-run.js';
import { thresholdAt, thresholdsSchema } from '../../../core/calibration.js';

const run = (task: number, ...scores: readonly number[]): ScoredRun => ({
  task: `task ${task}`,
  scores: scores.map((score, at) => ({ step: at + 1, score })),
});
const runs = (count: number, ...scores: readonly number[]) =>
  Array.from({ length: count }, (_, at) => run(at, ...scores));

function fitted(given: readonly ScoredRun[], options: Partial<FitOptions> = {}): Fit {
  const fit = fitThresholds(given, { far: 0.05, ...options });
  if ('missing' in fit) throw new Error(`needs ${fit.missing} more`);
  return fit;
}

const alarms = (given: readonly ScoredRun[], { thresholds }: Fit) =>
  given.filter(({ scores }) => firstAlarm(scores, thresholds)).length;

describe('too few runs', () => {
  it('no threshold, but how many are missing', () => {
    expect(fitThresholds(runs(15, 0.1), { far: 0.05 })).toEqual({ missing: 4 });
    expect(fitThresholds([], { far: 0.1 })).toEqual({ missing: 9 });
  });

  it('runs without any score are none', () => {
    expect(fitThresholds([...runs(19, 0.1), ...runs(50)], { far: 0.05 })).toMatchObject({
      calibrationRuns: 19,
    });
    expect(fitThresholds([...runs(18, 0.1), ...runs(50)], { far: 0.05 })).toEqual({ missing: 1 });
  });

  it('just enough: the highest score of all is the threshold', () => {
    const fit = fitted(Array.from({ length: 19 }, (_, at) => run(at, at / 100)));
    expect(fit).toMatchObject({ shapeRuns: 0, calibrationRuns: 19, exceeding: 0 });
    expect(thresholdAt(fit, 1)).toBeCloseTo(0.18, 6);
  });
});

describe('scores of few values', () => {
  it('all equal: none of them alarms, anything higher does', () => {
    const fit = fitted(runs(100, 0.4, 0.4, 0.4));
    expect(fit.exceeding).toBe(0);
    expect(alarms([run(0, 0.4, 0.4, 0.4)], fit)).toBe(0);
    expect(alarms([run(0, 0.4, 0.41)], fit)).toBe(1);
  });

  it('all zero: the least evidence is out of the ordinary', () => {
    const fit = fitted(runs(100, 0, 0));
    expect(alarms(runs(5, 0, 0), fit)).toBe(0);
    expect(alarms([run(0, 0, 0.001)], fit)).toBe(1);
  });

  it('zero or one: where more healthy runs have a one than may alarm, nothing alarms any more', () => {
    const given = Array.from({ length: 200 }, (_, at) => run(at, 0, at % 5 === 0 ? 1 : 0));
    const fit = fitted(given);
    expect(fit.exceeding).toBe(0);
    expect(alarms(given, fit)).toBe(0);
    expect(thresholdAt(fit, 2)).toBe(1);
  });

  it('one run in fifty with a one: it is what alarms', () => {
    const given = Array.from({ length: 200 }, (_, at) => run(at, 0, at % 50 === 0 ? 1 : 0));
    expect(alarms(given, fitted(given))).toBe(4);
  });
});

it('a run whose asking an alarm ended counts as above any threshold', () => {
  const cut = Array.from({ length: 10 }, (_, at) => ({ ...run(1000 + at, 0.1), endedByAlarm: true }));
  const given = [...Array.from({ length: 90 }, (_, at) => run(at, at / 100)), ...cut];
  const few = fitted(given, { far: 0.2 });
  expect(few.exceeding).toBeGreaterThan(0);
  expect(few.exceeding).toBeLessThan(mayExceed(few.calibrationRuns, 0.2));
  const many = fitted(given, { far: 0.02 });
  expect(many.thresholds).toEqual([{ fromStep: 0, above: 1 }]);
});

it('the same runs and seed give the same thresholds, another seed others', () => {
  const given = Array.from({ length: 300 }, (_, at) => run(at, (at % 97) / 97, (at % 89) / 89));
  expect(fitted(given)).toEqual(fitted(given));
  expect(fitted(given, { seed: 2 }).thresholds).not.toEqual(fitted(given).thresholds);
});

const anyScore = fc.oneof(
  fc.constantFrom(0, 1, 0.5, 1e-12, 1 - 1e-12),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const anyRun = fc.record({
  task: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
  scores: fc
    .uniqueArray(fc.nat(90), { maxLength: 12 })
    .chain((steps) =>
      fc.tuple(
        ...steps.sort((one, other) => one - other).map((step) => anyScore.map((score) => ({ step, score }))),
      ),
    ),
  endedByAlarm: fc.boolean(),
});

it('whatever the scores: valid thresholds, and no more calibration runs above them than the rank allows', () => {
  fc.assert(
    fc.property(
      fc.array(anyRun, { minLength: 30, maxLength: 120 }),
      fc.constantFrom(0.05, 0.1, 0.29),
      fc.integer(),
      (given, far, seed) => {
        const fit = fitThresholds(given, { far, seed });
        if ('missing' in fit) return;
        expect(thresholdsSchema.safeParse(fit.thresholds).error).toBeUndefined();
        expect(fit.exceeding).toBeLessThan(
          Math.max(
            mayExceed(fit.calibrationRuns, far),
            // Those that an alarm has ended exceed even a threshold of 1.
            1 + given.filter(({ endedByAlarm }) => endedByAlarm).length,
          ),
        );
        expect(fit.interval.low).toBeLessThanOrEqual(fit.exceeding / fit.calibrationRuns);
        expect(fit.interval.high).toBeGreaterThanOrEqual(fit.exceeding / fit.calibrationRuns);
      },
    ),
    { numRuns: 300 },
  );
});
