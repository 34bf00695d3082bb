import { askAuditor, isPromiseLike } from '../ask-auditor.js';
import type { AuditNote, Opinion } from '../audit-note.js';
import { type AuditOptions, type Auditor, type AuditRequest, auditorName } from '../auditor.js';

export interface OpinionOptions extends Partial<AuditOptions> {
  /** Longest wait, in milliseconds. Default: as long as the audit that it is a part of. */
  readonly deadlineMs?: number | undefined;
  /** Whether it is a candidate's, and does not count. */
  readonly shadow?: true | undefined;
}

/**
 * Asks one auditor of several. What it tells of its work is passed on under its name; what it says is for the caller to
 * pass on. Never rejects.
 */
export async function askForOpinion(
  auditor: Auditor,
  request: AuditRequest,
  { deadlineMs = Number.POSITIVE_INFINITY, shadow, note, ...options }: OpinionOptions,
): Promise<Opinion> {
  const name = auditorName(auditor);
  // Further in, it may have been told under another's name.
  const signed = (told: AuditNote): AuditNote => ({
    ...told,
    auditor: told?.auditor ?? name,
    ...(shadow && { shadow }),
  });
  const started = performance.now();
  const result = await askAuditor(auditor, request, deadlineMs, {
    ...options,
    note: (told) => note?.(isPromiseLike(told) ? Promise.resolve(told).then(signed) : signed(told)),
  });
  return {
    type: 'opinion',
    auditor: name,
    ...(shadow && { shadow }),
    ...result,
    durationMs: performance.now() - started,
  };
}
