import { z } from 'zod';
import type { Judge } from './judge/judge.js';
import type { Stage } from './stage.js';
import { probeStage } from './stages/probe.js';
import { scrubStage } from './stages/scrub.js';
import { splitStage } from './stages/split.js';

/** What stages need besides options, which are plain JSON. */
export interface StageDeps {
  /** Absent where no model is configured: stages that cannot do without say so. */
  readonly judge?: Judge | undefined;
  /** Runs of test splits that were published beside the input. */
  testRunIds(): Promise<ReadonlySet<string>>;
}

/** How a stage is made from a configuration. */
export interface StageKind<Options = unknown> {
  readonly options: z.ZodType<Options>;
  /** @throws SetupError for what the schema cannot tell, such as a missing judge */
  create(options: Options, deps: StageDeps): Stage | Promise<Stage>;
}

/** Every stage, in the order in which they make sense. */
export const stageKinds: Readonly<Record<string, StageKind>> = {
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
};

/** The schema has checked the options by the time that they are handed over. */
function kind<Options>(
  options: z.ZodType<Options>,
  create: (options: Options, deps: StageDeps) => Stage | Promise<Stage>,
): StageKind {
  return { options, create: (given, deps) => create(given as Options, deps) };
}
