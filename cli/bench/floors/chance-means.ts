import type { BenchRun } from '../../../bench/bench-run.js';
import { randomAtBestRate } from '../../../bench/floors/random-at-best-rate.js';
import { isTraining, walkFloor } from '../../../bench/floors/walk-floors.js';
import type { Protocol } from '../../../bench/protocol.js';
import type { Score } from '../../../bench/score/run-score.js';
import { type DatasetScore, scorePredictions } from '../../../bench/score.js';

/** What chance scores on the average of its seeds: one walk of it may be lucky. Percent, unrounded. */
export interface ChanceMean {
  readonly dataset: string;
  readonly protocol: Protocol;
  readonly seeds: number;
  readonly exactF1Released: number;
  readonly stepAcc: number;
  readonly far: number;
}

const SEEDS = 20;

/** Of each dataset that has training runs, for a rate to be chosen on. */
export async function chanceMeans(
  runs: readonly BenchRun[],
  protocol: Protocol,
  signal: AbortSignal,
): Promise<readonly ChanceMean[]> {
  const trained = new Set(runs.filter(isTraining).map(({ dataset }) => dataset));
  const itsRuns = runs.filter(({ dataset }) => trained.has(dataset));
  const scores: DatasetScore[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const predictions = await walkFloor(randomAtBestRate(seed), itsRuns, protocol, signal);
    scores.push(...scorePredictions(predictions, { by: [], resamples: 0 }));
  }
  return [...Map.groupBy(scores, ({ dataset }) => dataset)].map(([dataset, some]) => {
    const meanOf = (metric: 'exactF1Released' | 'stepAcc' | 'far') =>
      mean(
        some.map(({ overall }) => overall),
        metric,
      );
    return {
      dataset,
      protocol,
      seeds: SEEDS,
      exactF1Released: meanOf('exactF1Released'),
      stepAcc: meanOf('stepAcc'),
      far: meanOf('far'),
    };
  });
}

function mean(scores: readonly Score[], metric: 'exactF1Released' | 'stepAcc' | 'far'): number {
  return scores.reduce((sum, score) => sum + (score[metric]?.value ?? 0), 0) / scores.length;
}
