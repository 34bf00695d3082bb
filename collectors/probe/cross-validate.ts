import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { PrefixRows } from './prefix-rows.js';
import { type FittedProbe, fit, type ProbeKind } from './probe-kind.js';
import type { WalkedRun } from './strict-score.js';
import { bestThreshold, walked } from './walk.js';

export interface Fold {
  /** Indices of the runs that it was neither fitted on nor its threshold chosen on. */
  readonly heldOut: readonly number[];
  readonly probe: FittedProbe;
  /** A prefix of a higher score is an alarm. */
  readonly threshold: number;
  readonly walked: readonly WalkedRun[];
}

export interface FoldOptions {
  readonly folds: number;
  /** Of the training runs once more, to choose the threshold on scores of runs that the model has not seen. */
  readonly innerFolds: number;
  readonly seed: number;
}

/** Every run is held out once, with all of its group. */
export async function crossValidate(
  kind: ProbeKind,
  rows: PrefixRows,
  { folds, innerFolds, seed }: FoldOptions,
  signal: AbortSignal,
): Promise<readonly Fold[]> {
  const all = rows.runs.map((_, index) => index);
  const results: Fold[] = [];
  for (const heldOut of groupedFolds(rows, all, folds, seed)) {
    const training = without(all, heldOut);
    const scores = new Float64Array(rows.count);
    for (const inner of groupedFolds(rows, training, innerFolds, seed + 1)) {
      await setImmediate(undefined, { signal });
      const probe = fit(kind, rows, without(training, inner));
      score(probe, rows.of(inner), scores);
    }
    const threshold = bestThreshold(rows, training, scores);
    await setImmediate(undefined, { signal });
    const probe = fit(kind, rows, training);
    score(probe, rows.of(heldOut), scores);
    results.push({ heldOut, probe, threshold, walked: walked(rows, heldOut, scores, threshold) });
  }
  return results;
}

export function score({ columns, model }: FittedProbe, of: Uint32Array, into: Float64Array): void {
  for (const row of of) into[row] = model.score(columns, row);
}

/** Folds of about as many runs, by a hash of the group's name, so that they do not depend on the runs' order. */
export function groupedFolds(
  rows: PrefixRows,
  runs: readonly number[],
  folds: number,
  seed: number,
): readonly (readonly number[])[] {
  const groups = Map.groupBy(runs, (index) => rows.runs[index]?.group ?? '');
  const shuffled = [...groups]
    .map(([name, members]) => ({ members, place: hash('sha256', `${seed}\0${name}`) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const filled: number[][] = Array.from({ length: folds }, () => []);
  for (const { members } of shuffled) {
    const emptiest = filled.reduce((least, fold) => (fold.length < least.length ? fold : least));
    emptiest.push(...members);
  }
  return filled.map((fold) => fold.sort((one, other) => one - other));
}

function without(runs: readonly number[], others: readonly number[]): readonly number[] {
  const left = new Set(others);
  return runs.filter((index) => !left.has(index));
}
