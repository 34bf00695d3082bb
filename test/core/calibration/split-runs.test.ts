import { expect, it } from 'vitest';
import type { ScoredRun } from '../../../core/calibration/scored-run.js';
import { splitRuns } from '../../../core/calibration/split-runs.js';

const run = (task: string, score = 0.1): ScoredRun => ({ task, scores: [{ step: 1, score }] });
const runs = (count: number) => Array.from({ length: count }, (_, at) => run(`task ${at}`));
const tasksOf = (half: readonly ScoredRun[]) => new Set(half.map(({ task }) => task));

it('halves, the same way each time, another way with another seed', () => {
  const all = runs(101);
  const { shape, calibration } = splitRuns(all, 1, 19);
  expect([shape.length, calibration.length]).toEqual([50, 51]);
  expect(splitRuns(all.toReversed(), 1, 19).shape.map(({ task }) => task)).toEqual(
    shape.map(({ task }) => task),
  );
  expect(tasksOf(splitRuns(all, 2, 19).shape)).not.toEqual(tasksOf(shape));
});

it('knows nothing of the scores', () => {
  const low = splitRuns(runs(50), 1, 19);
  const high = splitRuns(
    runs(50).map(({ task }) => run(task, 0.9)),
    1,
    19,
  );
  expect(tasksOf(high.shape)).toEqual(tasksOf(low.shape));
});

it('keeps the runs of a task together', () => {
  const { shape, calibration } = splitRuns(
    runs(40).flatMap((one) => [one, one, one]),
    1,
    19,
  );
  expect([...tasksOf(shape)].filter((task) => tasksOf(calibration).has(task))).toEqual([]);
  expect(shape.length + calibration.length).toBe(120);
});

it('gives the calibration what it needs first, and all runs of an only task', () => {
  expect(splitRuns(runs(25), 1, 19)).toMatchObject({ shape: { length: 6 }, calibration: { length: 19 } });
  expect(splitRuns(runs(19), 1, 19).shape).toEqual([]);
  expect(splitRuns(Array(60).fill(run('the one')), 1, 19)).toMatchObject({
    shape: [],
    calibration: { length: 60 },
  });
});
