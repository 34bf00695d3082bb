import { z } from 'zod';
import { auditFailureSchema } from './audit-failure.js';
import { verdictSchema } from './verdict.js';

const tokens = z.int().nonnegative().optional();

const origin = {
  /** Whose it is, where several auditors make up one. */
  auditor: z.string().optional(),
  /** Set for a candidate whose verdicts do not count; neither do its calls against the run's budget. */
  shadow: z.literal(true).optional(),
};

/**
 * One request to a model, whatever became of it. Token counts are the server's own, absent where it gives none;
 * `inputTokens` includes the cached ones.
 */
export const modelCallSchema = z.object({
  type: z.literal('call'),
  ...origin,
  /**
   * `probe`: one token, is this safe? `verdict`: the reasoned reply. `repair`: once more, after a bad reply. `vote`: a sample.
   * `thought`: on the way to a verdict. `logprobs`: how probable the model finds what an agent wrote.
   */
  purpose: z.enum(['probe', 'verdict', 'repair', 'vote', 'thought', 'logprobs']),
  model: z.string(),
  /** As OpenTelemetry names it. Default `openai`, whose protocol most servers speak. */
  provider: z.string().optional(),
  /** HTTP requests made for it: 1, and one more for each retry. */
  attempts: z.int().positive(),
  inputTokens: tokens,
  cachedInputTokens: tokens,
  outputTokens: tokens,
  /** Money, in the currency of the prices that the auditor was given. */
  cost: z.number().nonnegative().optional(),
  durationMs: z.number().nonnegative(),
  /** Set when no answer came of it. */
  failed: auditFailureSchema.shape.kind.optional(),
});

/** What the auditor's prompt leaves out of the prefix, so that a verdict on less than the whole is known as such. */
export const cutNoteSchema = z.object({
  type: z.literal('cut'),
  ...origin,
  /** Turns that are shortened or left out. */
  turns: z.int().positive(),
  /** Tokens of them that the model does not see. */
  tokens: z.int().positive(),
});

/** What one auditor of several said. */
export const opinionSchema = z.object({
  type: z.literal('opinion'),
  ...origin,
  auditor: z.string(),
  verdict: verdictSchema.optional(),
  failure: auditFailureSchema.optional(),
  durationMs: z.number().nonnegative(),
});

/** What an auditor tells of its work beside the verdict. It is recorded, and calls are counted against the run's budget. */
export const auditNoteSchema = z.discriminatedUnion('type', [modelCallSchema, cutNoteSchema, opinionSchema]);

export type ModelCall = Readonly<z.infer<typeof modelCallSchema>>;
export type CutNote = Readonly<z.infer<typeof cutNoteSchema>>;
export type Opinion = Readonly<z.infer<typeof opinionSchema>>;
export type AuditNote = ModelCall | CutNote | Opinion;
