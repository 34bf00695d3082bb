import type { Scorer } from './scorer.js';

/** Takes the word of whoever used the run in production. */
export function feedbackScorer(): Scorer {
  return {
    name: 'feedback',
    options: {},
    async score({ feedback }, signal) {
      signal.throwIfAborted();
      if (!feedback) return undefined;
      const { value, by, comment } = feedback;
      return { value, reason: comment ? `${by}: ${comment}` : by };
    },
  };
}
