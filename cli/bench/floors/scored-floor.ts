import type { BenchRun } from '../../../bench/bench-run.js';
import { isTraining, type WalkedFloor } from '../../../bench/floors/walk-floors.js';
import type { Prediction } from '../../../bench/prediction.js';
import type { Protocol } from '../../../bench/protocol.js';
import { type DatasetScore, scorePredictions } from '../../../bench/score.js';

/** A row of the table of floors. */
export interface ScoredFloor {
  readonly name: string;
  readonly title: string;
  readonly protocol: Protocol;
  readonly scores: readonly DatasetScore[];
  /** Over runs that share no task and no history with a training run; absent where all are such. */
  readonly unshared?: readonly DatasetScore[] | undefined;
}

const PARTS = { by: ['domain', 'source'] } as const;

export function scoredFloor(
  { floor: { name, title }, predictions }: WalkedFloor,
  protocol: Protocol,
  runs: readonly BenchRun[],
): ScoredFloor {
  const seen = new Set(runs.filter(isTraining).map(({ group }) => group));
  const isUnshared = ({ truth }: Prediction) => !seen.has(truth.group);
  return {
    name,
    title,
    protocol,
    scores: scorePredictions(predictions, PARTS),
    ...(!predictions.every(isUnshared) && {
      unshared: scorePredictions(predictions.filter(isUnshared), PARTS),
    }),
  };
}
