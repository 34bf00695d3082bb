import type { RunAudits } from '../../collectors/recorded-run.js';
import type { AuditFailureKind } from '../../core/index.js';
import { type CallCost, CallCostTally } from '../call-cost.js';
import { notesOf } from '../report/logged-audits.js';
import { ANSWERS, type Answer, type AuditComparison, CHANGES, type Change } from './compare-audits.js';

/** What one side's audits took. */
export interface AuditCost extends CallCost {
  readonly audits: number;
  /** Milliseconds, all audits together. */
  readonly durationMs: number;
}

export interface ReplaySummary {
  readonly auditor: string;
  readonly runs: number;
  /** Runs whose audits were in the log already. */
  readonly resumed: number;
  /** Runs without any recorded audit: nothing to compare with, so they are in none of the counts of changes. */
  readonly unaudited: number;
  readonly changes: Readonly<Record<Change, number>>;
  readonly alarmsBefore: number;
  readonly alarmsNow: number;
  /** Turns that both were asked about: `agreement[before][now]`. */
  readonly agreement: Readonly<Record<Answer, Readonly<Record<Answer, number>>>>;
  readonly onlyBefore: number;
  readonly onlyNow: number;
  /** New score less the recorded one, over turns where both gave one. Null where there are none. */
  readonly scoreShift: {
    readonly turns: number;
    readonly mean: number;
    readonly meanAbsolute: number;
  } | null;
  /** Failed audits of the new auditor, by kind. */
  readonly failures: Readonly<Partial<Record<AuditFailureKind, number>>>;
  /** Whether the new auditor gave any verdict at all. */
  readonly hasVerdicts: boolean;
  readonly costBefore: AuditCost;
  readonly costNow: AuditCost;
  /** Bad lines and files that were passed over. */
  readonly skipped: number;
}

/** Adds a replay up, run by run, without keeping the runs. */
export class ReplayTally {
  readonly #auditor: string;
  #runs = 0;
  #resumed = 0;
  #unaudited = 0;
  #alarmsBefore = 0;
  #alarmsNow = 0;
  #onlyBefore = 0;
  #onlyNow = 0;
  #scored = 0;
  #hasVerdicts = false;
  #shift = 0;
  #absoluteShift = 0;
  readonly #changes = zeros(CHANGES);
  readonly #agreement = Object.fromEntries(ANSWERS.map((answer) => [answer, zeros(ANSWERS)])) as Record<
    Answer,
    Record<Answer, number>
  >;
  readonly #failures: Partial<Record<AuditFailureKind, number>> = {};
  readonly #before = new CostTally();
  readonly #now = new CostTally();

  constructor(auditor: string) {
    this.#auditor = auditor;
  }

  /** @param recorded absent for a run that nobody had audited */
  add(
    recorded: RunAudits | undefined,
    replayed: RunAudits,
    comparison: AuditComparison,
    resumed: boolean,
  ): void {
    this.#runs++;
    if (resumed) this.#resumed++;
    if (recorded) this.#changes[comparison.change]++;
    else this.#unaudited++;
    if (comparison.before) this.#alarmsBefore++;
    if (comparison.now) this.#alarmsNow++;
    this.#onlyBefore += comparison.onlyBefore;
    this.#onlyNow += comparison.onlyNow;
    for (const { before, now, scoreShift } of comparison.turns) {
      this.#agreement[before][now]++;
      if (scoreShift === undefined) continue;
      this.#scored++;
      this.#shift += scoreShift;
      this.#absoluteShift += Math.abs(scoreShift);
    }
    if (replayed.verdicts.length > 0) this.#hasVerdicts = true;
    for (const { failure } of replayed.failures)
      this.#failures[failure.kind] = (this.#failures[failure.kind] ?? 0) + 1;
    if (recorded) this.#before.add(recorded);
    this.#now.add(replayed);
  }

  summary(skipped: number): ReplaySummary {
    return {
      auditor: this.#auditor,
      runs: this.#runs,
      resumed: this.#resumed,
      unaudited: this.#unaudited,
      changes: this.#changes,
      alarmsBefore: this.#alarmsBefore,
      alarmsNow: this.#alarmsNow,
      agreement: this.#agreement,
      onlyBefore: this.#onlyBefore,
      onlyNow: this.#onlyNow,
      scoreShift:
        this.#scored === 0
          ? null
          : {
              turns: this.#scored,
              mean: this.#shift / this.#scored,
              meanAbsolute: this.#absoluteShift / this.#scored,
            },
      failures: this.#failures,
      hasVerdicts: this.#hasVerdicts,
      costBefore: this.#before.total(),
      costNow: this.#now.total(),
      skipped,
    };
  }
}

class CostTally {
  readonly #calls = new CallCostTally();
  #audits = 0;
  #durationMs = 0;

  add(audits: RunAudits): void {
    for (const { durationMs } of [...audits.verdicts, ...audits.failures]) {
      this.#audits++;
      this.#durationMs += durationMs;
    }
    for (const { note } of notesOf(audits)) if (note.type === 'call') this.#calls.add(note);
  }

  total(): AuditCost {
    return { audits: this.#audits, durationMs: this.#durationMs, ...this.#calls };
  }
}

function zeros<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
}
