import { z } from 'zod';
import { SetupError } from '../../core/index.js';
import type { Judge } from '../judge/judge.js';
import { codeScorer } from './code-scorer.js';
import { feedbackScorer } from './feedback-scorer.js';
import { mathScorer } from './math-scorer.js';
import { qaScorer } from './qa-scorer.js';
import { rubricScorer } from './rubric-scorer.js';
import type { Scorer } from './scorer.js';

const domains = z.array(z.string()).optional();

/** A scorer in a configuration file. Callbacks are code, and need a pipeline made by hand. */
export const scorerConfigSchema = z.discriminatedUnion('scorer', [
  z.strictObject({ scorer: z.literal('math'), domains }),
  z.strictObject({ scorer: z.literal('qa'), domains, match: z.enum(['exact', 'contains']).optional() }),
  /** The reference is the program that tests the run's code. */
  z.strictObject({
    scorer: z.literal('code'),
    domains,
    language: z.enum(['python', 'javascript']).optional(),
  }),
  z.strictObject({ scorer: z.literal('rubric'), domains, rubric: z.string().min(1).optional() }),
  z.strictObject({ scorer: z.literal('feedback') }),
]);

export type ScorerConfig = z.infer<typeof scorerConfigSchema>;

/** @throws SetupError for a rubric without a judge */
export function scorerFrom(config: ScorerConfig, judge: Judge | undefined): Scorer {
  switch (config.scorer) {
    case 'math':
      return mathScorer({ domains: config.domains });
    case 'qa':
      return qaScorer({ domains: config.domains, match: config.match });
    case 'code': {
      const { domains: only, language } = config;
      return codeScorer({ tests: ({ reference }) => reference, domains: only, language });
    }
    case 'rubric': {
      if (!judge) throw new SetupError('rubric', 'it needs a model to ask', 'Configure a judge');
      return rubricScorer({ judge, domains: config.domains, rubric: config.rubric });
    }
    case 'feedback':
      return feedbackScorer();
  }
}
