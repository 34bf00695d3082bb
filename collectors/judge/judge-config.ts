import path from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../core/index.js';
import { clientOptions, servedModelSchema } from '../served-model.js';
import { budgeted } from './budgeted.js';
import { cached } from './cached.js';
import { chatJudge } from './chat-judge.js';
import type { Judge } from './judge.js';

const price = z.number().nonnegative();

/** The model that stages ask for their judgement. */
export const judgeConfigSchema = servedModelSchema.extend({
  maxReplyTokens: z.int().min(1).optional(),
  deadlineMs: z.number().positive().optional(),
  seed: z.int().nonnegative().optional(),
  /** Money per million tokens. */
  prices: z.strictObject({ input: price, cachedInput: price.optional(), output: price }).optional(),
  /** For one call of the command. What is not asked any more waits. */
  budget: z
    .strictObject({
      calls: z.int().nonnegative().optional(),
      tokens: z.int().nonnegative().optional(),
      cost: z.number().nonnegative().optional(),
    })
    .optional(),
});

export type JudgeConfig = z.infer<typeof judgeConfigSchema>;

/** Beside the stages' files. */
const ANSWERS = 'judge-answers.jsonl';

/**
 * The judge of a configuration. Its answers are kept in the pipeline's folder, and cost nothing of the budget when they are asked for again.
 * @throws SetupError when its key's variable is not set
 */
export function judgeFrom(config: JudgeConfig, folder: string, env: Environment): Judge {
  const { maxReplyTokens, deadlineMs, seed, prices, budget, ...served } = config;
  const asked = chatJudge({ ...clientOptions(served, env), maxReplyTokens, deadlineMs, seed, prices });
  return cached(budget ? budgeted(asked, budget) : asked, path.join(folder, ANSWERS));
}
