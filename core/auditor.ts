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
}

/** Judges a prefix. It may be asked about several runs, and several branches of one run, at once. */
export interface Auditor {
  /** Shown in the run log. Default: `"auditor"`. */
  readonly name?: string;
  /** When this auditor wants to be asked, if the user sets no schedule. Default: {@link portableSchedule}. */
  readonly schedule?: Schedule;
  audit(request: AuditRequest, options: AuditOptions): Verdict | Promise<Verdict>;
}

/**
 * Why an audit gave no verdict. It is neither a Continue nor an Alarm, and `onAuditFailure` decides what follows.
 * - `deadline`: no answer in time.
 * - `threw`: the auditor threw or rejected.
 * - `invalid`: the answer is no verdict, names a step that does not exist yet, or an agent not seen in the prefix.
 * - `turn`: the plugin submitted something that is no turn, so there was nothing to judge.
 */
export interface AuditFailure {
  readonly kind: 'deadline' | 'threw' | 'invalid' | 'turn';
  readonly message: string;
}

export type AuditResult = { readonly verdict: Verdict } | { readonly failure: AuditFailure };
