import type { AuditFailureKind, FailureRecord, LoggedRun, VerdictRecord } from '../../core/index.js';
import { auditsOf, ownTurns, type RaisedAlarm } from './logged-audits.js';
import { Numbers } from './numbers.js';

const LONGEST_MESSAGE = 300;

/** One kind of failed audit, with the first of them as an example. */
export interface FailureSummary {
  readonly kind: AuditFailureKind;
  readonly audits: number;
  readonly message: string;
  readonly runId: string;
}

export interface TurnSummary {
  /** Turns of the runs' own; a continued run's earlier turns are counted where they were made. */
  readonly turns: number;
  readonly audited: number;
  /** Not audited, since the schedule passed over them. */
  readonly passedOver: number;
  /** Due, and not asked about, since the run had its alarm. */
  readonly afterAlarm: number;
  /** Due, and not audited for another reason: the run was stopped or cut off, or the record was lost. */
  readonly missed: number;
}

export interface AuditSummary {
  readonly verdicts: number;
  readonly failures: readonly FailureSummary[];
  /** Milliseconds; null where there is no audit. */
  readonly latency: {
    readonly median: number | null;
    readonly p95: number | null;
    readonly max: number | null;
  };
  /** Milliseconds that the audits took together, and the runs, from their opening to their last record. */
  readonly auditMs: number;
  readonly runMs: number;
}

export interface AuditorSummary {
  readonly auditor: string;
  readonly audits: number;
  readonly alarms: number;
  readonly failures: number;
  /** Milliseconds. */
  readonly medianLatency: number | null;
}

export interface AgentSummary {
  readonly agent: string;
  readonly turns: number;
  /** Alarms that blame it. */
  readonly blamed: number;
}

interface AuditorTally {
  audits: number;
  alarms: number;
  failures: number;
  readonly latencies: Numbers;
}

/** Adds up audits and turns. */
export class AuditTally {
  /** Milliseconds, of every audit. */
  readonly latencies = new Numbers();
  #verdicts = 0;
  #runMs = 0;
  #turns = 0;
  #audited = 0;
  #passedOver = 0;
  #afterAlarm = 0;
  #missed = 0;
  readonly #failures = new Map<AuditFailureKind, { audits: number; message: string; runId: string }>();
  readonly #auditors = new Map<string, AuditorTally>();
  readonly #agents = new Map<string, { turns: number; blamed: number }>();

  add(logged: LoggedRun, alarm: RaisedAlarm | undefined): void {
    this.#addTurns(logged, alarm);
    for (const record of auditsOf(logged)) this.#addAudit(record, record.auditor ?? logged.run.auditor);
    if (alarm) this.#agent(alarm.alarm.agent).blamed++;
    const times = [...auditsOf(logged), ...ownTurns(logged)].map(({ at }) => at);
    this.#runMs += times.reduce((last, at) => Math.max(last, at), logged.run.at) - logged.run.at;
  }

  turns(): TurnSummary {
    return {
      turns: this.#turns,
      audited: this.#audited,
      passedOver: this.#passedOver,
      afterAlarm: this.#afterAlarm,
      missed: this.#missed,
    };
  }

  audits(): AuditSummary {
    return {
      verdicts: this.#verdicts,
      failures: [...this.#failures]
        .map(([kind, failure]) => ({ kind, ...failure }))
        .sort((one, other) => other.audits - one.audits),
      latency: {
        median: this.latencies.quantile(0.5),
        p95: this.latencies.quantile(0.95),
        max: this.latencies.quantile(1),
      },
      auditMs: this.latencies.sum,
      runMs: this.#runMs,
    };
  }

  auditors(): AuditorSummary[] {
    return [...this.#auditors]
      .map(([auditor, { audits, alarms, failures, latencies }]) => ({
        auditor,
        audits,
        alarms,
        failures,
        medianLatency: latencies.quantile(0.5),
      }))
      .sort((one, other) => other.audits - one.audits);
  }

  /** Most blamed first. */
  agents(): AgentSummary[] {
    return [...this.#agents]
      .map(([agent, { turns, blamed }]) => ({ agent, turns, blamed }))
      .sort((one, other) => other.blamed - one.blamed || other.turns - one.turns);
  }

  #addTurns(logged: LoggedRun, alarm: RaisedAlarm | undefined): void {
    const audited = new Set(auditsOf(logged).map(({ turnId }) => turnId));
    for (const { id, index, agent } of ownTurns(logged)) {
      this.#turns++;
      this.#agent(agent).turns++;
      if (audited.has(id)) this.#audited++;
      else if (!logged.due.has(id)) this.#passedOver++;
      else if (alarm?.raisedAt && index > alarm.raisedAt.index) this.#afterAlarm++;
      else this.#missed++;
    }
  }

  #addAudit(record: VerdictRecord | FailureRecord, name: string): void {
    const auditor = this.#auditor(name);
    auditor.audits++;
    auditor.latencies.add(record.durationMs);
    this.latencies.add(record.durationMs);
    if (record.type === 'verdict') {
      this.#verdicts++;
      if (record.verdict.kind === 'alarm') auditor.alarms++;
      return;
    }
    auditor.failures++;
    const { kind, message } = record.failure;
    const known = this.#failures.get(kind);
    if (known) known.audits++;
    else
      this.#failures.set(kind, {
        audits: 1,
        message: message.slice(0, LONGEST_MESSAGE),
        runId: record.runId,
      });
  }

  #auditor(name: string): AuditorTally {
    return found(this.#auditors, name, () => ({
      audits: 0,
      alarms: 0,
      failures: 0,
      latencies: new Numbers(),
    }));
  }

  #agent(name: string): { turns: number; blamed: number } {
    return found(this.#agents, name, () => ({ turns: 0, blamed: 0 }));
  }
}

function found<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
