import type { CorpusQuirk } from '../../collectors/quirks/corpus-check.js';
import type { RecordedRun } from '../../collectors/recorded-run.js';
import type { AuditedRun } from '../audited-run.js';
import { type LabelComparison, LabelTally } from './label-comparison.js';

/** What a whole `audit` call found. */
export interface AuditSummary {
  readonly files: number;
  readonly runs: number;
  readonly steps: number;
  readonly alarms: number;
  /** Audits without a verdict. */
  readonly failures: number;
  /** Runs that had an alarm when they were recorded. */
  readonly recordedAlarms: number;
  /** Bad lines and files that were passed over. */
  readonly skipped: number;
  /** First alarms against labels, by corpus part and over all of a kind; only for labelled runs. */
  readonly labels: Readonly<Record<string, LabelComparison>>;
  /** Runs (or, across runs, findings) per quirk code. */
  readonly quirks: Readonly<Record<string, number>>;
  readonly corpusQuirks: readonly CorpusQuirk[];
}

/** Adds up an audit, run by run, without keeping the runs. */
export class AuditReport {
  #runs = 0;
  #steps = 0;
  #alarms = 0;
  #failures = 0;
  #recordedAlarms = 0;
  readonly #labels = new Map<string, LabelTally>();
  readonly #quirks = new Map<string, number>();
  readonly #testRunIds: ReadonlySet<string>;

  /** @param testRunIds runs kept for testing, which get rows of their own */
  constructor(testRunIds: ReadonlySet<string>) {
    this.#testRunIds = testRunIds;
  }

  add(run: RecordedRun, audited: AuditedRun): void {
    this.#runs++;
    this.#steps += audited.steps.length;
    this.#failures += audited.steps.filter(({ failure }) => failure).length;
    const verdict = audited.alarmed?.verdict;
    const alarm = verdict?.kind === 'alarm' ? verdict : undefined;
    if (alarm) this.#alarms++;
    if (run.recorded?.alarm) this.#recordedAlarms++;
    if (run.label) for (const group of this.#groupsOf(run)) this.#tally(group).add(run.label, alarm);
    for (const code of new Set(run.quirks.map((quirk) => quirk.code))) {
      this.#quirks.set(code, (this.#quirks.get(code) ?? 0) + 1);
    }
  }

  summary(files: number, skipped: number, corpusQuirks: readonly CorpusQuirk[]): AuditSummary {
    const isSum = (group: string) => (/^(all|test split)\b/.test(group) ? group : '');
    const labels = [...this.#labels].sort(([one], [other]) => isSum(one).localeCompare(isSum(other)));
    const quirks = [...this.#quirks].sort(([one], [other]) => one.localeCompare(other));
    return {
      files,
      runs: this.#runs,
      steps: this.#steps,
      alarms: this.#alarms,
      failures: this.#failures,
      recordedAlarms: this.#recordedAlarms,
      skipped,
      labels: Object.fromEntries(labels.map(([group, tally]) => [group, tally.result()])),
      quirks: Object.fromEntries(quirks),
      corpusQuirks,
    };
  }

  #tally(group: string): LabelTally {
    const tally = this.#labels.get(group) ?? new LabelTally();
    this.#labels.set(group, tally);
    return tally;
  }

  /**
   * A run counts in its part of the corpus, and in all parts together where that is a fair sum: injected and natural
   * failures are different questions, so safe runs stand beside each. The halves of Who&When are never added up.
   */
  #groupsOf({ runId, domain = 'runs', label }: RecordedRun): string[] {
    const source = label?.kind === 'unsafe' ? label.source : undefined;
    if (label?.kind === 'unsafe' && source === undefined) return [domain];
    const sums = ['all', ...(source === undefined ? ['all, injected', 'all, natural'] : [`all, ${source}`])];
    const tests = this.#testRunIds.has(runId) ? sums.map((sum) => sum.replace('all', 'test split')) : [];
    return [domain, ...sums, ...tests];
  }
}
