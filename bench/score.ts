import type { Prediction } from './prediction.js';
import { DIMENSIONS, type Dimension, partsBy } from './score/breakdown.js';
import { type Score, scoreOf } from './score/run-score.js';
import { talliedRun } from './score/tallied-run.js';

/** What an auditor is worth on one dataset. Datasets of different kinds are never added up. */
export interface DatasetScore {
  readonly dataset: string;
  readonly overall: Score;
  /** By part of the dataset: `by.domain.math`. Without the dimensions of which the dataset knows nothing. */
  readonly by: Readonly<Partial<Record<Dimension, Readonly<Record<string, Score>>>>>;
}

export interface ScoreOptions {
  /** Default: all. */
  readonly by?: readonly Dimension[] | undefined;
  /** Of the resamples. Default: 1. */
  readonly seed?: number | undefined;
  /** Of each score's bootstrap. Default: 1,000. */
  readonly resamples?: number | undefined;
}

/** Scores first alarms against labels, dataset by dataset. The order of the runs does not matter. */
export function scorePredictions(
  predictions: Iterable<Prediction>,
  { by = DIMENSIONS, seed = 1, resamples = 1_000 }: ScoreOptions = {},
): readonly DatasetScore[] {
  const runs = Array.from(predictions, talliedRun);
  const datasets = [...Map.groupBy(runs, ({ truth }) => truth.dataset)];
  datasets.sort(([one], [other]) => (one < other ? -1 : 1));
  return datasets.map(([dataset, members]) => ({
    dataset,
    overall: scoreOf(members, resamples, seed),
    by: Object.fromEntries(
      by
        .map((dimension) => [dimension, partsBy(dimension, members)] as const)
        .filter(([, parts]) => parts.length > 0)
        .map(([dimension, parts]) => [
          dimension,
          Object.fromEntries(parts.map(([name, some]) => [name, scoreOf(some, resamples, seed)])),
        ]),
    ),
  }));
}
