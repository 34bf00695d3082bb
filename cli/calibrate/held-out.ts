import { alarmsExpected, type CalibrationFile, firstAlarm, type Interval } from '../../core/index.js';
import type { LabelledScores } from './gather-scores.js';

/** What the thresholds do on healthy runs that they were not made from. */
export interface HeldOut {
  readonly runs: number;
  readonly alarms: number;
  /** How many alarms so many runs should have, with the calibration's confidence. */
  readonly expected: Interval;
  readonly isAsExpected: boolean;
  readonly isInInterval: boolean;
  /** Runs whose task the calibration has seen too. */
  readonly sharedTasks: number;
}

/** What the thresholds find in failed runs of one kind. */
export interface Found {
  readonly runs: number;
  readonly alarms: number;
  /** Alarms that blame exactly the labelled step. */
  readonly exactStep: number;
}

export function heldOut(
  runs: readonly LabelledScores[],
  { thresholds, runs: basis, interval }: CalibrationFile,
  tasks: ReadonlySet<string>,
): HeldOut {
  const alarms = runs.filter((run) => run.endedByAlarm || firstAlarm(run.scores, thresholds)).length;
  const { exceeding, calibration } = basis;
  const expected = alarmsExpected(runs.length, { exceeding, runs: calibration }, interval.confidence);
  const rate = alarms / runs.length;
  return {
    runs: runs.length,
    alarms,
    expected,
    isAsExpected: alarms >= expected.low && alarms <= expected.high,
    isInInterval: rate >= interval.low && rate <= interval.high,
    sharedTasks: runs.filter(({ task }) => tasks.has(task)).length,
  };
}

/** By where the failures come from: injected ones are far easier. */
export function found(
  runs: readonly LabelledScores[],
  { thresholds }: CalibrationFile,
): Readonly<Record<string, Found>> {
  const bySource = Map.groupBy(runs, ({ label }) => (label?.kind === 'unsafe' && label.source) || 'failed');
  return Object.fromEntries(
    [...bySource].map(([source, ofSource]) => {
      const firsts = ofSource.map(({ label, scores }) => ({ label, alarm: firstAlarm(scores, thresholds) }));
      const alarms = firsts.filter(({ alarm }) => alarm !== undefined);
      const exact = alarms.filter(
        ({ label, alarm }) => label?.kind === 'unsafe' && label.step === alarm?.blames,
      );
      return [source, { runs: ofSource.length, alarms: alarms.length, exactStep: exact.length }];
    }),
  );
}
