import type { AuditFailure } from './audit-failure.js';
import type { ModelCall } from './audit-note.js';
import type { Diagnostics } from './diagnostics.js';

/** Where the swallowed faults of one run go. */
export class RunFaults {
  readonly #diagnostics: Diagnostics;
  readonly #runId: string;
  #budgetIsSpent = false;
  #budgetIsBlind = false;

  constructor(diagnostics: Diagnostics, runId: string) {
    this.#diagnostics = diagnostics;
    this.#runId = runId;
  }

  report(code: string, message: string, cause?: unknown): void {
    this.#diagnostics.report({ code, message, runId: this.#runId, cause });
  }

  /** A budget that is spent is told once: every later audit of the run fails alike. */
  auditFailed({ kind, message }: AuditFailure): void {
    if (kind === 'budget' && this.#budgetIsSpent) return;
    this.#budgetIsSpent ||= kind === 'budget';
    this.#diagnostics.report({
      code: `audit-failure-${kind}`,
      message: `the auditor gave no verdict (${kind}): ${message}`,
      // Every audit of every run will fail alike until somebody sets the key right.
      severity: kind === 'auth' ? 'error' : 'warning',
      runId: this.#runId,
    });
  }

  /** A limit that nothing counts against is none, and whoever set it must know. Told once a run. */
  callUnmetered({ model }: ModelCall, limit: 'tokens' | 'cost'): void {
    if (this.#budgetIsBlind) return;
    this.#budgetIsBlind = true;
    const why =
      limit === 'tokens' ? 'the server tells no usage' : 'it has no cost, for want of prices or usage';
    const message = `a call of ${model} does not count against the budget's ${limit}: ${why}; limit calls instead`;
    this.report('budget-unmetered', message);
  }

  /** The redactor's own error may quote the very text that it failed on, so only its kind is passed on. */
  redactorFailed(cause: unknown): void {
    const kind = cause instanceof Error ? cause.name : typeof cause;
    this.report('redactor-failed', `the redactor failed (${kind}); what it was given was dropped`);
  }
}
