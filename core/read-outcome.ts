import { type Outcome, outcomeSchema } from './run-info.js';

/** An end that cannot be read is neither a success nor a reason to leave the run open in the log: it counts as failed. */
export function readOutcome(given: unknown): { readonly outcome: Outcome; readonly fault?: Error } {
  const parsed = outcomeSchema.safeParse(given);
  if (parsed.success) return { outcome: parsed.data };
  const [issue] = parsed.error.issues;
  const error = `the plugin closed the run with something that is no outcome: ${issue?.path.join('.') || 'outcome'}: ${issue?.message}`;
  return { outcome: { status: 'failed', error }, fault: new Error(error, { cause: parsed.error }) };
}
