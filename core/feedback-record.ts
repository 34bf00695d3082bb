import { z } from 'zod';
import type { Diagnostics } from './diagnostics.js';
import { type Feedback, feedbackSchema } from './feedback.js';
import { type FeedbackRecord, RECORD_VERSION } from './record.js';
import type { Redactor } from './redact.js';
import { RunFaults } from './run-faults.js';
import { RunRedactor } from './run-redactor.js';

const givenSchema = z.object({ runId: z.string().min(1), feedback: feedbackSchema });

/** What a host said of a run, redacted; nothing, and a report, where that makes no sense. */
export function feedbackRecord(
  runId: string,
  feedback: Feedback,
  redactor: Redactor,
  diagnostics: Diagnostics,
): FeedbackRecord | undefined {
  const faults = new RunFaults(diagnostics, String(runId));
  const given = givenSchema.safeParse({ runId, feedback });
  if (!given.success) {
    const [issue] = given.error.issues;
    faults.report(
      'bad-feedback',
      `feedback that cannot be recorded: ${issue?.path.join('.')}: ${issue?.message}`,
      given.error,
    );
    return undefined;
  }
  const redact = new RunRedactor(redactor, (cause) => faults.redactorFailed(cause));
  const { value, by, comment } = given.data.feedback;
  return {
    type: 'feedback',
    v: RECORD_VERSION,
    runId,
    at: Date.now(),
    value,
    by: redact.text(by),
    comment: comment === undefined ? undefined : redact.text(comment),
  };
}
