import type { Omega } from '../stages/inject.js';
import { firstScore } from './first-score.js';
import type { Scorer } from './scorer.js';

/** Omega by scorers, of runs that a stage makes. */
export function omegaOf(scorers: readonly Scorer[]): Omega {
  return async (sample, signal) => {
    const scored = await firstScore(scorers, sample, signal);
    if (!scored) return undefined;
    const { by, score } = scored;
    return score.failure
      ? { failure: score.failure.message }
      : { value: score.value, by, reason: score.reason };
  };
}
