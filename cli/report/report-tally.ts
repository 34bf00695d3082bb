import type { LoggedRun } from '../../core/index.js';
import { type AlarmSummary, AlarmTally, type WouldHalt } from './alarm-tally.js';
import {
  type AgentSummary,
  type AuditorSummary,
  type AuditSummary,
  AuditTally,
  type TurnSummary,
} from './audit-tally.js';
import { type CostSummary, CostTally } from './cost-tally.js';
import { type OpinionSummary, OpinionTally } from './opinion-tally.js';
import { type ScoreSummary, ScoreTally } from './score-tally.js';

/** What `agentforesight report --json` prints. Times are ISO 8601, durations milliseconds, steps count in final order. */
export interface ReportSummary {
  readonly files: number;
  /** When the first and the last of the runs began. */
  readonly from: string | null;
  readonly until: string | null;
  /** Runs as the log has them, and how many of them continue others or lack some of their lines. */
  readonly logged: { readonly runs: number; readonly continuations: number; readonly incomplete: number };
  /** Runs per policy: `observe` ones would have been halted, the others were. */
  readonly policies: Readonly<Record<string, number>>;
  readonly alarms: AlarmSummary;
  readonly wouldHalts: readonly WouldHalt[];
  readonly turns: TurnSummary;
  readonly audits: AuditSummary;
  readonly cost: CostSummary;
  readonly opinions: readonly OpinionSummary[];
  readonly scores: ScoreSummary;
  readonly byAuditor: readonly AuditorSummary[];
  readonly byAgent: readonly AgentSummary[];
  /** Bad lines and files that were passed over. */
  readonly skipped: number;
}

/** Adds a log up, run by run, without keeping the runs. */
export class ReportTally {
  readonly alarms: AlarmTally;
  readonly audits = new AuditTally();
  readonly cost = new CostTally();
  readonly #opinions = new OpinionTally();
  readonly #scores = new ScoreTally();
  readonly #policies: Record<string, number> = {};
  #runs = 0;
  #continuations = 0;
  #incomplete = 0;
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  /** @param keptExcerpts how many alarms are kept with the turns around them */
  constructor(keptExcerpts: number) {
    this.alarms = new AlarmTally(keptExcerpts);
  }

  add(logged: LoggedRun, file: string): void {
    const { run, incomplete } = logged;
    this.#runs++;
    if (run.continues !== undefined) this.#continuations++;
    if (incomplete) this.#incomplete++;
    this.#from = Math.min(this.#from, run.at);
    this.#until = Math.max(this.#until, run.at);
    this.#policies[run.onAlarm] = (this.#policies[run.onAlarm] ?? 0) + 1;
    this.audits.add(logged, this.alarms.add(logged, file));
    this.cost.add(logged);
    this.#opinions.add(logged);
    this.#scores.add(logged);
  }

  summary(files: number, skipped: number): ReportSummary {
    const iso = (at: number) => (Number.isFinite(at) ? new Date(at).toISOString() : null);
    return {
      files,
      from: iso(this.#from),
      until: iso(this.#until),
      logged: { runs: this.#runs, continuations: this.#continuations, incomplete: this.#incomplete },
      policies: this.#policies,
      alarms: this.alarms.summary(),
      wouldHalts: this.alarms.wouldHalts,
      turns: this.audits.turns(),
      audits: this.audits.audits(),
      cost: this.cost.summary(),
      opinions: this.#opinions.summary(),
      scores: this.#scores.summary(),
      byAuditor: this.audits.auditors(),
      byAgent: this.audits.agents(),
      skipped,
    };
  }
}
