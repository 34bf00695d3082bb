import { clopperPearson, type Interval, type LoggedRun } from '../../core/index.js';
import { type Excerpt, excerptAround } from './excerpt.js';
import { ownTurns, type RaisedAlarm, raisedAlarm } from './logged-audits.js';
import { Numbers } from './numbers.js';
import { type Chain, type Ending, RunChains } from './run-chains.js';

export const CONFIDENCE = 0.95;

/** Characters of a reason that are kept: every alarm of the log is, and an auditor may say a lot. */
const LONGEST_REASON = 2_000;

/** An alarm, and what followed it. In `observe` mode: what would have been halted, and what that would have spared. */
export interface WouldHalt {
  readonly runId: string;
  /** File and line where the run begins. */
  readonly source: string;
  /** When it was raised, ISO 8601. */
  readonly at: string;
  readonly auditor: string;
  /** The blamed step, in the run's final order. */
  readonly step: number;
  readonly agent: string;
  readonly reason: string;
  readonly score: number | null;
  /** The step at which it was raised. */
  readonly raisedAtStep: number;
  readonly enforced: 'proceed' | 'halt' | 'pause' | 'recover';
  /** How the run ended all the same. */
  readonly ended: Ending;
  /** Turns of the run after the one at which the alarm was raised, the time they took, and the tokens that their models report. */
  readonly turnsAfter: number;
  readonly msAfter: number;
  readonly tokensAfter: number;
}

export interface AlarmSummary {
  /** Runs, those that continue others not counted again. */
  readonly runs: number;
  readonly alarmed: number;
  /** Share of runs, and where the true one lies with 95 % confidence (Clopper and Pearson). Null without runs. */
  readonly rate: number | null;
  readonly interval: Interval | null;
  /** Endings of the runs with an alarm, and of the others. A run that was taken up again ends as its last part does. */
  readonly endings: {
    readonly alarmed: Readonly<Partial<Record<Ending, number>>>;
    readonly others: Readonly<Partial<Record<Ending, number>>>;
  };
  readonly turnsAfter: number;
  readonly msAfter: number;
  readonly tokensAfter: number;
}

/** Adds up alarms. */
export class AlarmTally {
  readonly wouldHalts: WouldHalt[] = [];
  readonly excerpts = new Map<WouldHalt, Excerpt>();
  /** Blamed steps. */
  readonly steps = new Numbers();
  readonly #keptExcerpts: number;
  readonly #chains = new RunChains();

  /** @param keptExcerpts how many alarms are kept with the turns around them */
  constructor(keptExcerpts: number) {
    this.#keptExcerpts = keptExcerpts;
  }

  /** @returns the alarm, if there is one */
  add(logged: LoggedRun, file: string): RaisedAlarm | undefined {
    const raised = raisedAlarm(logged);
    this.#chains.add(logged, file, raised !== undefined);
    if (!raised) return undefined;
    const would = wouldHalt(logged, raised, `${file}:${logged.line}`);
    this.wouldHalts.push(would);
    this.steps.add(would.step);
    if (this.excerpts.size < this.#keptExcerpts) this.excerpts.set(would, excerptAround(logged, would));
    return raised;
  }

  summary(): AlarmSummary {
    const chains = this.#chains.chains();
    const alarmed = chains.filter(({ isAlarmed }) => isAlarmed);
    const sum = (of: (would: WouldHalt) => number) =>
      this.wouldHalts.reduce((total, would) => total + of(would), 0);
    return {
      runs: chains.length,
      alarmed: alarmed.length,
      rate: chains.length === 0 ? null : alarmed.length / chains.length,
      interval: chains.length === 0 ? null : clopperPearson(alarmed.length, chains.length, CONFIDENCE),
      endings: {
        alarmed: endings(alarmed),
        others: endings(chains.filter(({ isAlarmed }) => !isAlarmed)),
      },
      turnsAfter: sum(({ turnsAfter }) => turnsAfter),
      msAfter: sum(({ msAfter }) => msAfter),
      tokensAfter: sum(({ tokensAfter }) => tokensAfter),
    };
  }
}

function endings(runs: readonly Chain[]): Partial<Record<Ending, number>> {
  const counts: Partial<Record<Ending, number>> = {};
  for (const { ended } of runs) counts[ended] = (counts[ended] ?? 0) + 1;
  return counts;
}

function wouldHalt(logged: LoggedRun, { record, alarm, raisedAt }: RaisedAlarm, source: string): WouldHalt {
  const after = raisedAt ? ownTurns(logged).filter(({ index }) => index > raisedAt.index) : [];
  // By the turns' own clock: a log of audits made later keeps the times of the run.
  const last = after.at(-1)?.at;
  const tokens = after.reduce(
    (sum, { usage }) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    0,
  );
  return {
    runId: logged.run.runId,
    source,
    at: new Date(record.at).toISOString(),
    auditor: record.auditor ?? logged.run.auditor,
    step: alarm.step,
    agent: alarm.agent,
    reason: alarm.reason.slice(0, LONGEST_REASON),
    score: alarm.score ?? null,
    raisedAtStep: raisedAt?.index ?? record.step,
    enforced: record.enforced,
    ended: logged.outcome?.status ?? 'cut off',
    turnsAfter: after.length,
    msAfter: raisedAt && last !== undefined ? Math.max(0, last - raisedAt.at) : 0,
    tokensAfter: tokens,
  };
}
