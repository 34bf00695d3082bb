import { z } from 'zod';
import { readOptions } from '../../core/index.js';
import type { Sample } from '../sample.js';
import { finalAnswer } from './final-answer.js';
import { answerHolds, answersMatch } from './qa/answers-match.js';
import type { Scorer } from './scorer.js';

const optionsSchema = z.strictObject({
  domains: z.array(z.string()).default(['agentic']),
  match: z.enum(['exact', 'contains']).default('exact'),
});

export interface QaScorerOptions {
  /** Samples of these domains that have a reference are its own. Default `["agentic"]`. */
  readonly domains?: readonly string[] | undefined;
  /** `contains`: an answer that holds the reference among other words is right, too. Default `"exact"`. */
  readonly match?: 'exact' | 'contains' | undefined;
}

/** Whether the run's final answer is the reference, once both are normalised. @throws SetupError on a malformed option */
export function qaScorer(options: QaScorerOptions = {}): Scorer {
  const { domains, match } = readOptions('qaScorer', optionsSchema, options);
  return {
    name: 'qa',
    options: { domains, match },
    async score({ domain = '', reference, turns }: Sample, signal) {
      signal.throwIfAborted();
      if (!reference || !domains.includes(domain)) return undefined;
      const answer = finalAnswer(turns);
      if (answer === undefined) return { value: 0, reason: 'the run gives no answer' };
      const evidence = { reference: reference.slice(0, 500), answer: answer.slice(0, 500) };
      if (answersMatch(reference, answer))
        return { value: 1, reason: 'the answer is the reference', evidence };
      if (match === 'contains' && answerHolds(reference, answer))
        return { value: 1, reason: 'the answer holds the reference', evidence };
      return { value: 0, reason: 'the answer is not the reference', evidence };
    },
  };
}
