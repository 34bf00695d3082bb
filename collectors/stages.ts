import path from 'node:path';
import { z } from 'zod';
import { chatClient, type Environment, SetupError } from '../core/index.js';
import type { Judge } from './judge/judge.js';
import { budgetedSampler } from './pairs/budgeted-sampler.js';
import { cachedSampler } from './pairs/cached-sampler.js';
import { chatPolicySampler } from './pairs/policy-sampler.js';
import { ReplyCache } from './pairs/reply-cache.js';
import { omegaOf } from './scorers/omega.js';
import { scorerConfigSchema, scorerFrom } from './scorers/scorer-config.js';
import { clientOptions, servedModelSchema } from './served-model.js';
import type { Stage } from './stage.js';
import { annotateStage } from './stages/annotate.js';
import { filterStage } from './stages/filter.js';
import { injectStage } from './stages/inject.js';
import { outcomeStage } from './stages/outcome.js';
import { pairsStage } from './stages/pairs.js';
import { probeStage } from './stages/probe.js';
import { scrubStage } from './stages/scrub.js';
import { splitStage } from './stages/split.js';

/** What stages need besides options, which are plain JSON. */
export interface StageDeps {
  /** Absent where no model is configured: stages that cannot do without say so. */
  readonly judge?: Judge | undefined;
  /** The pipeline's folder, for what stages keep beside its files. */
  readonly folder: string;
  /** Where keys of model servers are looked up. */
  readonly env: Environment;
  /** Runs of test splits that were published beside the input. */
  testRunIds(): Promise<ReadonlySet<string>>;
}

/** How a stage is made from a configuration. */
export interface StageKind<Options = unknown> {
  readonly options: z.ZodType<Options>;
  /** @throws SetupError for what the schema cannot tell, such as a missing judge */
  create(options: Options, deps: StageDeps): Stage | Promise<Stage>;
}

const count = z.int().positive();

/** Every stage, in the order in which they make sense. */
export const stageKinds: Readonly<Record<string, StageKind>> = {
  outcome: kind(
    z.strictObject({ scorers: z.array(scorerConfigSchema).min(1), concurrency: count.optional() }),
    ({ scorers, concurrency }, { judge }) =>
      outcomeStage({ scorers: scorers.map((scorer) => scorerFrom(scorer, judge)), concurrency }),
  ),
  filter: kind(
    z.strictObject({
      /** Whether the judge is asked of each turn; without it nobody is. */
      coherence: z.boolean().default(false),
      codeTools: z.array(z.string()).optional(),
      turnsPerQuestion: count.optional(),
      concurrency: count.optional(),
    }),
    ({ coherence, ...options }, deps) =>
      filterStage({ ...options, ...(coherence && { judge: judgeFor('filter', deps) }) }),
  ),
  annotate: kind(
    z.strictObject({
      proposers: count.optional(),
      verifiers: count.optional(),
      temperature: z.number().min(0).max(2).optional(),
      concurrency: count.optional(),
    }),
    (options, deps) => annotateStage({ ...options, judge: judgeFor('annotate', deps) }),
  ),
  /** By turn rewriting; live replay needs the graph, and so a pipeline made by hand. */
  inject: kind(
    z.strictObject({
      scorers: z.array(scorerConfigSchema).min(1),
      variants: count.optional(),
      tries: count.optional(),
      attempts: count.optional(),
      categories: z.array(z.string()).min(1).optional(),
      seed: z.int().optional(),
      concurrency: count.optional(),
    }),
    ({ scorers, ...options }, deps) => {
      const judge = judgeFor('inject', deps);
      return injectStage({ ...options, judge, omega: omegaOf(scorers.map((one) => scorerFrom(one, judge))) });
    },
  ),
  split: kind(
    z.strictObject({
      testShare: z.number().gt(0).lt(1).optional(),
      seed: z.int().optional(),
      /** Keeps the test split that was published beside the input. */
      published: z.boolean().optional(),
    }),
    async ({ published, ...options }, { testRunIds }) =>
      splitStage(published ? { ...options, published: await testRunIds() } : options),
  ),
  /** After the split, whose published ids it replaces. */
  scrub: kind(
    z.strictObject({
      fixedTexts: z.enum(['flag', 'drop']).optional(),
      fixedTextTasks: z.int().min(2).optional(),
    }),
    scrubStage,
  ),
  /** After the split, too: it leaves test runs alone. */
  probe: kind(
    z.strictObject({
      limit: z.number().gt(0).max(100).optional(),
      mostRuns: z.int().positive().optional(),
      seed: z.int().optional(),
    }),
    probeStage,
  ),
  /** After scrub, whose text the prompts have. */
  pairs: kind(
    z.strictObject({
      policy: servedModelSchema,
      replies: z.int().min(2).optional(),
      temperature: z.number().gt(0).max(2).optional(),
      maxTokens: count.optional(),
      seed: z.int().nonnegative().optional(),
      invalid: z.enum(['reject', 'ignore']).optional(),
      concurrency: count.optional(),
      /** For one call of the command. What is not asked any more waits. */
      budget: z.strictObject({ calls: count.optional(), tokens: count.optional() }).optional(),
    }),
    ({ policy, temperature, maxTokens, seed, budget, ...options }, { env, folder }) => {
      const client = chatClient(clientOptions(policy, env));
      const asked = chatPolicySampler({ client, name: policy.model, temperature, maxTokens, seed });
      const sampler = budget ? budgetedSampler(asked, budget) : asked;
      const cache = new ReplyCache(path.join(folder, 'policy-replies.jsonl'));
      return pairsStage({ ...options, sampler: cachedSampler(sampler, cache) });
    },
  ),
};

function judgeFor(stage: string, { judge }: StageDeps): Judge {
  if (judge) return judge;
  throw new SetupError(
    stage,
    'it needs a model to ask',
    'Add "judge": { "baseURL": …, "model": … } to the configuration',
  );
}

/** The schema has checked the options by the time that they are handed over. */
function kind<Options>(
  options: z.ZodType<Options>,
  create: (options: Options, deps: StageDeps) => Stage | Promise<Stage>,
): StageKind {
  return { options, create: (given, deps) => create(given as Options, deps) };
}
