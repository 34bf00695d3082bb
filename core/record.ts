import { z } from 'zod';
import { auditFailureSchema } from './audit-failure.js';
import { auditNoteSchema } from './audit-note.js';
import { feedbackSchema } from './feedback.js';
import { outcomeSchema, toolSpecSchema } from './run-info.js';
import { turnSchema } from './turn.js';
import { verdictSchema } from './verdict.js';

/** Written into every record; a reader refuses what it does not know. */
export const RECORD_VERSION = 1;

const common = { v: z.literal(RECORD_VERSION), runId: z.string().min(1), at: z.number() };

/** What was done about a verdict or failure. In `observe` mode an alarm is recorded with `proceed`: a would-halt. */
const enforcedSchema = z.enum(['proceed', 'halt', 'pause', 'recover']);

/** Opens a run. */
export const runRecordSchema = z.object({
  type: z.literal('run'),
  ...common,
  task: z.string(),
  tools: z.array(toolSpecSchema).readonly(),
  framework: z.string(),
  /** The host's own id of the conversation, by which its saved state is found. */
  thread: z.string().optional(),
  auditor: z.string(),
  onAlarm: z.enum(['halt', 'pause', 'recover', 'observe']),
  onAuditFailure: z.enum(['proceed', 'halt']),
  continues: z.string().optional(),
  /** How often the run has gone back to before a blamed step. Absent for a run that has not. */
  recoveries: z.int().positive().optional(),
  /** Ids of turns of the run that this one continues which are no part of it: undone by going back, or told again below. */
  undone: z.array(z.string()).readonly().optional(),
  /** Whether those concerned agreed that the run becomes training data. Absent where nobody was asked. */
  consent: z.boolean().optional(),
});

/** One turn. `turn.index` is its step in its own prefix; reading a log back renumbers parallel branches. */
export const turnRecordSchema = z.object({
  type: z.literal('turn'),
  ...common,
  turn: turnSchema,
  /** Whether the schedule asked for an audit of this prefix. */
  due: z.boolean(),
});

const judged = {
  ...common,
  turnId: z.string(),
  step: z.int().nonnegative(),
  durationMs: z.number().nonnegative(),
  /** Who was asked. Absent where it is the run's auditor, as its `run` record names it. */
  auditor: z.string().optional(),
  /** What the auditor told of its work. Absent where it told nothing. */
  notes: z.array(auditNoteSchema).readonly().optional(),
};

/**
 * One verdict on the prefix that ends with turn `turnId` (at `step`). `verdict` is what holds, `enforced` what was done.
 * With a calibration, `threshold` is what the score had to exceed, and `said` the auditor's own verdict where that differs.
 */
export const verdictRecordSchema = z.object({
  type: z.literal('verdict'),
  ...judged,
  verdict: verdictSchema,
  said: verdictSchema.optional(),
  threshold: z.number().min(0).max(1).optional(),
  /** The turn that an alarm blames; `verdict.step` counts within the prefix that was judged. */
  alarmTurnId: z.string().optional(),
  enforced: enforcedSchema,
});

/** An audit that gave no verdict. */
export const failureRecordSchema = z.object({
  type: z.literal('failure'),
  ...judged,
  failure: auditFailureSchema,
  enforced: enforcedSchema,
});

/** A note that came after its verdict: what a candidate said in the shadow of the auditor that counts. */
export const noteRecordSchema = z.object({
  type: z.literal('note'),
  ...common,
  turnId: z.string(),
  step: z.int().nonnegative(),
  note: auditNoteSchema,
});

/** Closes a run. A run without one was cut off: the process died, or the host never said. */
export const closeRecordSchema = z.object({ type: z.literal('close'), ...common, outcome: outcomeSchema });

/** Said of a run later, mostly long after its close; the newest of a run counts. */
export const feedbackRecordSchema = z.object({
  type: z.literal('feedback'),
  ...common,
  ...feedbackSchema.shape,
});

/**
 * Written by a recorder that opened a log whose last line was torn by a crash: the line before this one is the torn
 * one, it was never acknowledged, and readers skip it.
 */
export const recoveryRecordSchema = z.object({
  type: z.literal('recovery'),
  v: z.literal(RECORD_VERSION),
  at: z.number(),
});

/** One line of the run log. */
export const auditRecordSchema = z.discriminatedUnion('type', [
  runRecordSchema,
  turnRecordSchema,
  verdictRecordSchema,
  failureRecordSchema,
  noteRecordSchema,
  closeRecordSchema,
  feedbackRecordSchema,
  recoveryRecordSchema,
]);

export type RunRecord = z.infer<typeof runRecordSchema>;
export type TurnRecord = z.infer<typeof turnRecordSchema>;
export type VerdictRecord = z.infer<typeof verdictRecordSchema>;
export type FailureRecord = z.infer<typeof failureRecordSchema>;
export type NoteRecord = z.infer<typeof noteRecordSchema>;
export type CloseRecord = z.infer<typeof closeRecordSchema>;
export type FeedbackRecord = z.infer<typeof feedbackRecordSchema>;
export type AuditRecord = z.infer<typeof auditRecordSchema>;
