import fc from 'fast-check';
import { expect, it } from 'vitest';
import { auroc } from '../../../bench/thresholds/auroc.js';
import { scoredPrediction } from '../../../bench/thresholds/scored-prediction.js';
import { unsafe } from '../support/predictions.js';
import { scoredRun } from '../support/scored.js';

const runsOf = (safe: readonly number[], failed: readonly number[]) =>
  [
    ...safe.map((score, at) => scoredRun(`safe-${at}`, { scores: [0, score] })),
    ...failed.map((score, at) => scoredRun(`failed-${at}`, { label: unsafe(0), scores: [score, 0] })),
  ].map((one) => scoredPrediction(one, 'file'));

it('is the share of pairs in which the failed run scores higher, ties counting half', () => {
  const score = fc.constantFrom(0, 0.2, 0.4, 0.9);
  const scores = fc.array(score, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(scores, scores, (safe, failed) => {
      const pairs = safe.flatMap((one) => failed.map((other) => (other > one ? 1 : other === one ? 0.5 : 0)));
      const expected = (100 * pairs.reduce<number>((sum, won) => sum + won, 0)) / pairs.length;
      expect(auroc(runsOf(safe, failed), 1)?.value).toBeCloseTo(expected, 1);
    }),
    { numRuns: 60 },
  );
});

it('has an interval around it, and none of it without both kinds of runs', () => {
  const estimate = auroc(runsOf([0.1, 0.2, 0.3, 0.6], [0.2, 0.4, 0.5, 0.9]), 1);
  expect(estimate?.value).toBe(71.88);
  expect(estimate?.low).toBeLessThan(71);
  expect(estimate?.high).toBe(100);
  expect(auroc(runsOf([0.1], []), 1)).toBeNull();
  expect(auroc(runsOf([], [0.1]), 1)).toBeNull();
});

it('draws runs of one group together: copies of a run are no new evidence', () => {
  const runs = runsOf([0.1, 0.2, 0.3, 0.6], [0.2, 0.4, 0.5, 0.9]);
  const copies = Array.from({ length: 8 }, (_, copy) =>
    runs.map((run) => ({ ...run, truth: { ...run.truth, group: `${run.truth.group}-${copy}` } })),
  ).flat();
  const tied = copies.map((run) => ({ ...run, truth: { ...run.truth, group: run.truth.runId } }));
  const width = (of: typeof runs) => {
    const { low, high } = auroc(of, 1) ?? { low: 0, high: 0 };
    return high - low;
  };
  expect(auroc(tied, 1)?.value).toBe(auroc(copies, 1)?.value);
  expect(width(tied)).toBeGreaterThan(2 * width(copies));
});
