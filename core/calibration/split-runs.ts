import { createHash } from 'node:crypto';
import type { ScoredRun } from './scored-run.js';

/** Which runs the step shape is learnt from, and which ones the thresholds are calibrated on. */
export interface SplitRuns {
  readonly shape: readonly ScoredRun[];
  readonly calibration: readonly ScoredRun[];
}

/**
 * Half of the runs to each side, by a hash of seed and task that knows nothing of the scores. A task's runs go to one side
 * together, unless there is only one task. Of few runs more than half go to the calibration, which needs `fewest`.
 */
export function splitRuns(runs: readonly ScoredRun[], seed: number, fewest: number): SplitRuns {
  const tasks = [...Map.groupBy(runs, ({ task }) => task)];
  if (tasks.length === 1) return { shape: [], calibration: runs };
  const wanted = Math.max(Math.ceil(runs.length / 2), fewest);
  const calibration: ScoredRun[] = [];
  const shape: ScoredRun[] = [];
  const shuffled = tasks
    .map(([task, ofTask]) => ({ ofTask, place: hash(`${seed}\0${task}`) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  for (const { ofTask } of shuffled) (calibration.length < wanted ? calibration : shape).push(...ofTask);
  return { shape, calibration };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
