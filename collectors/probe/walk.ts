import { releasedF1 } from '../first-alarms/exact-f1.js';
import type { PrefixRows } from './prefix-rows.js';
import { alarmCounts, type WalkedRun } from './strict-score.js';

/** The first prefix whose score is above the threshold, as the step of its last turn. */
export function firstAlarm(
  rows: PrefixRows,
  run: number,
  scores: Float64Array,
  threshold: number,
): number | undefined {
  for (let row = rows.start(run); row < rows.end(run); row++)
    if ((scores[row] as number) > threshold) return row - rows.start(run);
  return undefined;
}

export function walked(
  rows: PrefixRows,
  runs: readonly number[],
  scores: Float64Array,
  threshold: number,
): readonly WalkedRun[] {
  return runs.map((index) => ({
    run: rows.runs[index] as WalkedRun['run'],
    alarm: firstAlarm(rows, index, scores, threshold),
  }));
}

/** Tried: as many evenly spread ranks of the runs' highest scores. */
const THRESHOLDS = 200;

/** The threshold under which the given runs' walk has the highest Exact-F1 of the released code's kind. */
export function bestThreshold(rows: PrefixRows, runs: readonly number[], scores: Float64Array): number {
  const highest = runs
    .map((run) =>
      scores.subarray(rows.start(run), rows.end(run)).reduce((one, other) => Math.max(one, other), -Infinity),
    )
    .sort((one, other) => one - other);
  const tried = Array.from(
    { length: THRESHOLDS },
    (_, rank) => highest[Math.floor((rank * highest.length) / THRESHOLDS)] ?? Infinity,
  );
  let best = { threshold: Infinity, f1: 0 };
  for (const threshold of new Set(tried)) {
    const f1 = releasedF1(alarmCounts(walked(rows, runs, scores, threshold)));
    if (f1 > best.f1) best = { threshold, f1 };
  }
  return best.threshold;
}
