import { existsSync, statSync } from 'node:fs';
import type { RunAudits } from '../../collectors/recorded-run.js';
import { type AuditFailureKind, InputError, readRuns } from '../../core/index.js';

/** Failures that say nothing about the run: another try may well bring a verdict. */
const WORTH_ANOTHER_TRY: ReadonlySet<AuditFailureKind> = new Set([
  'deadline',
  'auth',
  'rate-limited',
  'unavailable',
  'circuit-open',
]);

/** The audits of runs that a log holds already, so that they need not be asked for again. */
export class EarlierAudits {
  readonly #byRun = new Map<string, { readonly audits: RunAudits; readonly turns: number }>();

  /** @throws InputError where another auditor has written the log */
  static async of(file: string, auditor: string): Promise<EarlierAudits> {
    const earlier = new EarlierAudits();
    if (!existsSync(file) || statSync(file).size === 0) return earlier;
    for await (const { run, line, turns, verdicts, failures, notes, outcome } of readRuns(file)) {
      if (run.auditor !== auditor) {
        throw new InputError(
          { file, line, field: 'auditor' },
          `holds audits by ${run.auditor}, and these are by ${auditor}`,
          'Give each auditor a log of its own',
        );
      }
      const isWhole = outcome?.status === 'completed';
      if (isWhole && !failures.some(({ failure }) => WORTH_ANOTHER_TRY.has(failure.kind)))
        earlier.#byRun.set(run.runId, { audits: { verdicts, failures, notes }, turns: turns.length });
    }
    return earlier;
  }

  /** Nothing for a run that has other turns now than it had then. */
  of(runId: string, turns: number): RunAudits | undefined {
    const found = this.#byRun.get(runId);
    return found?.turns === turns ? found.audits : undefined;
  }
}
