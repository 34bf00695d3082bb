import { z } from 'zod';
import { auditFailureSchema, modelCallSchema, verdictSchema } from '../core/index.js';
import type { Truth } from './bench-run.js';
import type { PredictedAudit, Prediction } from './prediction.js';

const count = z.int().nonnegative();
const name = z.string().min(1);

const labelSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('safe') }),
  z.strictObject({
    kind: z.literal('unsafe'),
    step: count,
    agent: z.string(),
    reason: z.string().optional(),
    source: z.enum(['injected', 'natural']).optional(),
  }),
]);

const truthSchema: z.ZodType<Truth> = z
  .strictObject({
    runId: name,
    dataset: name,
    domain: z.string().optional(),
    split: z.enum(['train', 'test']).optional(),
    group: z.string(),
    turns: count,
    label: labelSchema,
  })
  .refine(({ turns, label }) => label.kind === 'safe' || label.step < turns, {
    path: ['label', 'step'],
    error: 'the run has no such step',
  });

const auditSchema: z.ZodType<PredictedAudit> = z
  .strictObject({
    step: count,
    verdict: verdictSchema.optional(),
    failure: auditFailureSchema.optional(),
    ms: z.number().nonnegative(),
    calls: z.array(modelCallSchema).readonly(),
  })
  .refine(({ verdict, failure }) => (verdict === undefined) !== (failure === undefined), {
    error: 'an audit has a verdict or a failure, and one of them only',
  })
  .refine(({ step, verdict }) => verdict?.kind !== 'alarm' || verdict.step <= step, {
    path: ['verdict', 'step'],
    error: 'the alarm blames a step that was not there yet',
  });

/** A prediction as a file keeps it. */
export interface PredictedRun extends Prediction {
  /** Of what the auditor could read; {@link inputDigest}. A run that was changed since is another run under the same id. */
  readonly inputDigest?: string | undefined;
}

export const predictedRunSchema: z.ZodType<PredictedRun> = z
  .strictObject({
    truth: truthSchema,
    inputDigest: z.string().optional(),
    audits: z.array(auditSchema).readonly(),
  })
  .refine(({ truth, audits }) => areSteps(audits, truth.turns), {
    path: ['audits'],
    error: 'steps must rise, and be steps of the run',
  });

function areSteps(audits: readonly PredictedAudit[], turns: number): boolean {
  return audits.every(({ step }, at) => step > (audits[at - 1]?.step ?? -1) && step < turns);
}
