import type { AuditFailure } from './audit-failure.js';
import type { AuditNote } from './audit-note.js';
import type { Prefix } from './prefix.js';
import type { ToolSpec } from './run-info.js';
import type { Schedule } from './schedule.js';
import type { Verdict } from './verdict.js';

/** Everything an auditor may see at step k = `prefix.length - 1`. Never later turns, never a reference answer. */
export interface AuditRequest {
  readonly runId: string;
  /** The task in the user's words. */
  readonly task: string;
  readonly tools: readonly ToolSpec[];
  readonly prefix: Prefix;
}

export interface AuditOptions {
  /** Aborted when the deadline has passed: nobody waits for the answer any more. Hand it to your HTTP client. */
  readonly signal: AbortSignal;
  /** When the signal will be aborted, in milliseconds of `performance.now()`: what would take longer need not begin. */
  readonly deadlineAt?: number | undefined;
  /**
   * Tells of the work beside the verdict: a model call that was made, what the prompt leaves out, what one auditor of
   * several said. A promise is recorded when it resolves; the run's close waits for it, the host's next step does not.
   */
  readonly note?: ((note: AuditNote | Promise<AuditNote>) => void) | undefined;
  /** The run is over, and nobody will ask again: whoever asks only some of several auditors now asks them all. */
  readonly isLast?: boolean | undefined;
}

/** Judges a prefix. It may be asked about several runs, and several branches of one run, at once. */
export interface Auditor {
  /** Shown in the run log. Default: `"auditor"`. */
  readonly name?: string;
  /** When this auditor wants to be asked, if the user sets no schedule. Default: {@link portableSchedule}. */
  readonly schedule?: Schedule;
  audit(request: AuditRequest, options: AuditOptions): Verdict | Promise<Verdict>;
  /**
   * For an auditor made of several: whether it asks only some of them here. A completed run whose last turn had no more
   * than that is judged once more, with `isLast` set.
   */
  asksInPart?(prefix: Prefix): boolean;
}

export type AuditResult = { readonly verdict: Verdict } | { readonly failure: AuditFailure };

/** What to call an auditor, also one that gives no name. */
export function auditorName({ name = 'auditor' }: Pick<Auditor, 'name'>): string {
  return name;
}
