import type { Sample } from '../sample.js';
import type { Score, Scorer } from './scorer.js';

/** Asks scorers in their order; the first that the sample is for decides. @returns nothing where none is */
export async function firstScore(
  scorers: readonly Scorer[],
  sample: Sample,
  signal: AbortSignal,
): Promise<{ readonly by: string; readonly score: Score } | undefined> {
  for (const scorer of scorers) {
    const score = await scorer.score(sample, signal);
    if (score) return { by: scorer.name, score };
  }
  return undefined;
}
