import { describe, expect, it } from 'vitest';
import type { ScoredRun } from '../../../core/calibration/scored-run.js';
import { flatShape, locationAt, logOdds, scoreAt, stepShape } from '../../../core/calibration/step-shape.js';

const run = (...scores: readonly number[]): ScoredRun => ({
  task: '',
  scores: scores.map((score, at) => ({ step: at + 1, score })),
});
const runs = (count: number, ...scores: readonly number[]) =>
  Array.from({ length: count }, () => run(...scores));

describe('a shape', () => {
  it('gives a step that enough runs reach a bin of its own, and takes later steps together', () => {
    const shape = stepShape([...runs(20, 0.1, 0.5), ...runs(5, 0.1, 0.5, 0.9)]);
    expect(shape.bins.map(({ fromStep }) => fromStep)).toEqual([0, 2]);
    expect(scoreAt(locationAt(shape, 1))).toBeCloseTo(0.1);
    // 5 of the 25 runs go on to 0.9.
    expect(locationAt(shape, 2)).toBeCloseTo(0.8 * logOdds(0.5) + 0.2 * logOdds(0.9));
    expect(locationAt(shape, 500)).toBe(locationAt(shape, 2));
  });

  it('pools steps until enough runs are there, each with the highest of its scores', () => {
    const shape = stepShape([...runs(12, 0.2), ...Array.from({ length: 12 }, () => later(7, 0.4, 0.3))]);
    expect(shape.bins).toHaveLength(1);
    expect(locationAt(shape, 1)).toBeCloseTo((logOdds(0.2) + logOdds(0.4)) / 2);
  });

  it('of few runs is one bin; of none, or of runs without a score, flat', () => {
    expect(stepShape(runs(3, 0.1, 0.9)).bins).toHaveLength(1);
    expect(stepShape([])).toEqual(flatShape);
    expect(stepShape(runs(30))).toEqual(flatShape);
  });

  it('counts a score of nothing as the least that was seen, so that one such step is not infinitely low', () => {
    const shape = stepShape(runs(20, 0, 0.04, 0.5));
    expect(shape.floor).toBe(0.04);
    expect(scoreAt(locationAt(shape, 1))).toBeCloseTo(0.04);
  });
});

function later(step: number, ...scores: readonly number[]): ScoredRun {
  return { task: '', scores: scores.map((score, at) => ({ step: step + at, score })) };
}

it('log-odds stay finite at 0 and 1, and come back as they were in between', () => {
  expect(logOdds(0)).toBeCloseTo(-logOdds(1), 6);
  for (const score of [1e-6, 0.2, 0.5, 0.999_999]) expect(scoreAt(logOdds(score))).toBeCloseTo(score, 12);
  expect(scoreAt(logOdds(1))).toBe(1);
});
