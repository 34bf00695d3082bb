import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Prediction } from '../../../bench/prediction.js';
import { scorePredictions } from '../../../bench/score.js';
import { scoredPrediction } from '../../../bench/thresholds/scored-prediction.js';
import { sweep } from '../../../bench/thresholds/sweep.js';
import { underThresholds } from '../../../bench/thresholds/under-thresholds.js';
import { unsafe } from '../support/predictions.js';
import { anyPredictions, scoredRun } from '../support/scored.js';

const scored = (predictions: readonly Prediction[]) =>
  predictions.map((one) => scoredPrediction(one, 'file'));

/** The same figures from a walk under that threshold. */
function walked(predictions: readonly Prediction[], above: number) {
  const under = predictions.map((one) =>
    underThresholds(one, scoredPrediction(one, 'file'), [{ fromStep: 0, above }]),
  );
  const [score] = scorePredictions(under, { by: [], resamples: 0 });
  const { far, stepAcc, exactF1Released, exactF1Paper, prematureAlarms, prefixFalseAlarms, ass } =
    score?.overall ?? ({} as never);
  return {
    above,
    far: far?.value ?? null,
    stepAcc: stepAcc?.value ?? null,
    exactF1Released: exactF1Released?.value ?? null,
    exactF1Paper: exactF1Paper?.value ?? null,
    prematureAlarms: prematureAlarms?.value ?? null,
    prefixFalseAlarms: prefixFalseAlarms.ofAllRuns?.value ?? null,
    ass: ass?.value ?? null,
  };
}

describe('the sweep', () => {
  it('says at every threshold what a walk under it would score', () => {
    fc.assert(
      fc.property(anyPredictions, (predictions) => {
        const points = sweep(scored(predictions));
        expect(points).toEqual(points.map(({ above }) => walked(predictions, above)));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves out no threshold that tells runs apart', () => {
    fc.assert(
      fc.property(anyPredictions, fc.double({ min: 0, max: 1, noNaN: true }), (predictions, above) => {
        const points = sweep(scored(predictions));
        const below = points.findLast((point) => point.above <= above);
        expect({ ...below, above }).toEqual(walked(predictions, above));
      }),
      { numRuns: 300 },
    );
  });

  it('ascends, begins at 0 and ends where nothing alarms', () => {
    const points = sweep(
      scored([
        scoredRun('a', { scores: [0.2, 0.1, 0.7] }),
        scoredRun('b', { label: unsafe(1), scores: [0, 0.4, 0.7] }),
      ]),
    );
    expect(points.map(({ above, far, stepAcc }) => [above, far, stepAcc])).toEqual([
      [0, 100, 100],
      [0.2, 100, 100],
      [0.4, 100, 0],
      [0.7, 0, 0],
    ]);
    expect(points[1]?.prefixFalseAlarms).toBe(25);
  });

  it('takes hundreds of thousands of different scores in its stride', () => {
    const runs = Array.from({ length: 2_000 }, (_, run) =>
      scoredRun(`run-${run}`, {
        ...(run % 2 === 0 && { label: unsafe(100) }),
        scores: Array.from({ length: 150 }, (_, step) => (step * 2_000 + run + 1) / 400_000),
      }),
    );
    const began = performance.now();
    expect(sweep(scored(runs))).toHaveLength(300_001);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
