import { messageOf } from '../diagnostics.js';
import { AuditHalt } from '../errors.js';
import type { Outcome } from '../run-info.js';

/**
 * How a run ended that rejected with `error`. An abort is the caller's own doing.
 * @param signal the caller's, whose reason may be any error
 */
export function outcomeAfter(error: unknown, signal?: AbortSignal): Outcome {
  const isAbort = signal?.aborted === true || (error instanceof Error && error.name === 'AbortError');
  const status = error instanceof AuditHalt ? 'halted' : isAbort ? 'aborted' : 'failed';
  return { status, error: messageOf(error) };
}
