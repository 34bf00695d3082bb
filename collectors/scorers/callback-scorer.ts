import { z } from 'zod';
import { messageOf, readOptions } from '../../core/index.js';
import type { Sample } from '../sample.js';
import type { Scorer } from './scorer.js';

const scoreSchema = z.object({ value: z.literal([0, 1]), reason: z.string() });

const optionsSchema = z.strictObject({
  name: z.string().regex(/^[a-z\d]+(-[a-z\d]+)*$/, 'expected kebab-case'),
  score: z.custom<CallbackScorerOptions['score']>((value) => typeof value === 'function', {
    error: 'expected a function',
  }),
  version: z.string().default(''),
});

export interface CallbackScorerOptions {
  /** Kebab-case. */
  readonly name: string;
  /** @returns nothing for a sample that it does not know. A throw is a failure: the sample waits. */
  readonly score: (
    sample: Sample,
    signal: AbortSignal,
  ) => Promise<CallbackScore | undefined> | CallbackScore | undefined;
  /** Another version makes the stage begin anew, for nothing else tells that the function has changed. */
  readonly version?: string | undefined;
}

export interface CallbackScore {
  readonly value: 0 | 1;
  readonly reason: string;
}

/**
 * A function of yours: a look into the order system, a test of what the run has deployed.
 * @throws SetupError on an unknown or malformed option
 */
export function callbackScorer(options: CallbackScorerOptions): Scorer {
  const { name, score, version } = readOptions('callbackScorer', optionsSchema, options);
  return {
    name,
    options: { version },
    async score(sample, signal) {
      signal.throwIfAborted();
      try {
        const given = await score(sample, signal);
        if (given === undefined) return undefined;
        const { success, data, error } = scoreSchema.safeParse(given);
        if (success) return data;
        return {
          failure: { kind: 'nonsense', message: `the function's score: ${error.issues[0]?.message}` },
        };
      } catch (cause) {
        signal.throwIfAborted();
        return { failure: { kind: 'error', message: messageOf(cause) } };
      }
    },
  };
}
