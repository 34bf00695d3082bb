import { z } from 'zod';

/**
 * Why an audit gave no verdict. It is neither a Continue nor an Alarm.
 * - `deadline`: no answer in time.
 * - `threw`: the auditor threw or rejected, and did not say why in these terms.
 * - `invalid`: the answer is no verdict, names a step that does not exist yet, or an agent not seen in the prefix.
 * - `turn`: the plugin submitted something that is no turn, so there was nothing to judge.
 * - `auth`: the model server refuses the key. Nothing will get better by itself.
 * - `rate-limited`: the server turned the request away for too many, retries included.
 * - `unavailable`: the server cannot be reached, broke off, or has a fault of its own.
 * - `refused`: the server refuses the request itself: unknown model, prompt over its context.
 * - `circuit-open`: not asked, since the server has failed too often just now.
 * - `budget`: not asked, since the run has spent its budget.
 */
export const auditFailureSchema = z.object({
  kind: z.enum([
    'deadline',
    'threw',
    'invalid',
    'turn',
    'auth',
    'rate-limited',
    'unavailable',
    'refused',
    'circuit-open',
    'budget',
  ]),
  message: z.string(),
});

/** `onAuditFailure` decides what follows; for `budget`, the budget's `whenSpent`. */
export type AuditFailure = Readonly<z.infer<typeof auditFailureSchema>>;

export type AuditFailureKind = AuditFailure['kind'];

/** Thrown by an auditor that knows why it has no verdict. Anything else that it throws counts as `threw`. */
export class AuditError extends Error {
  readonly kind: AuditFailureKind;

  constructor(kind: AuditFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AuditError';
    this.kind = kind;
  }
}
