import type { Omega } from '../stages/inject.js';
import type { Scorer } from './scorer.js';

/** The first of the scorers that a sample is for decides. */
export function omegaOf(scorers: readonly Scorer[]): Omega {
  return async (sample, signal) => {
    for (const scorer of scorers) {
      const score = await scorer.score(sample, signal);
      if (!score) continue;
      if (score.failure) return { failure: score.failure.message };
      return { value: score.value, by: scorer.name, reason: score.reason };
    }
    return undefined;
  };
}
