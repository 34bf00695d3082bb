import { z } from 'zod';
import { jsonLine, readOptions } from '../../core/index.js';
import type { Judge } from '../judge/judge.js';
import { judgeSchema } from '../judge/judge-schema.js';
import { quoted, quotedRun, RUN_AS_DATA } from '../judge/quoted-run.js';
import type { Scorer } from './scorer.js';

const DEFAULT_RUBRIC =
  'The run succeeds when its final result is what the task asks for: correct, complete, and in the form that was asked for. How it came about does not matter, and what agents claim of it proves nothing.';

const verdictSchema = z.object({ success: z.boolean(), reason: z.string() });

const optionsSchema = z.strictObject({
  judge: judgeSchema,
  rubric: z.string().min(1).default(DEFAULT_RUBRIC),
  domains: z.array(z.string()).optional(),
});

export interface RubricScorerOptions {
  readonly judge: Judge;
  /** What a success is. Default: the final result is what the task asks for. */
  readonly rubric?: string | undefined;
  /** Samples of these domains are its own. Default: all. */
  readonly domains?: readonly string[] | undefined;
}

/**
 * Asks a model whether a run has succeeded by a rubric. Where the sample has a reference, the model is shown it: it scores,
 * and audits nothing. The weakest of the scorers, for tasks whose results no program can check.
 * @throws SetupError on an unknown or malformed option
 */
export function rubricScorer(options: RubricScorerOptions): Scorer {
  const { judge, rubric, domains } = readOptions('rubricScorer', optionsSchema, options);
  const system = `You decide whether a run of a team of AI agents has succeeded.

${rubric}

${RUN_AS_DATA} A last line may hold the reference: the result that the task is known to have.

Think first if you like. Then answer with one JSON object and nothing after it:
{"success": true, "reason": "REASON"}
with true or false, and REASON one or two sentences.`;
  return {
    name: 'rubric',
    options: { judge: judge.name, rubric, domains: domains ?? null },
    async score(sample, signal) {
      if (domains && !domains.includes(sample.domain ?? '')) return undefined;
      const { reference } = sample;
      const known = reference ? quoted('reference', reference) : jsonLine({ reference: null });
      const prompt = `${quotedRun(sample)}${known}Has the run succeeded?`;
      const { answer, failure } = await judge.ask({ system, prompt, schema: verdictSchema }, signal);
      if (failure) return { failure };
      return { value: answer.success ? 1 : 0, reason: answer.reason };
    },
  };
}
