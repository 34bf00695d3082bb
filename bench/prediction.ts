import type { AuditFailure, ModelCall, Verdict } from '../core/index.js';
import type { Truth } from './bench-run.js';

/** One audit of a walk. It has a verdict or a failure, never both: a failed audit is no Continue. */
export interface PredictedAudit {
  /** 0-based: the prefix was turns 0 to `step`. */
  readonly step: number;
  readonly verdict?: Verdict | undefined;
  readonly failure?: AuditFailure | undefined;
  /** Until the verdict was there, queueing for the server included. */
  readonly ms: number;
  /** The requests made for it, with their tokens; empty for an auditor that asks no model. */
  readonly calls: readonly ModelCall[];
}

/** What an auditor said of one run. */
export interface Prediction {
  readonly truth: Truth;
  /** In the order of steps. They end with the first alarm, unless the walk went on to the run's end. */
  readonly audits: readonly PredictedAudit[];
}

/** The verdict that counts: the first alarm. @returns undefined where no audit alarmed */
export function firstAlarm({ audits }: Prediction): PredictedAlarm | undefined {
  for (const { step: raisedAt, verdict } of audits)
    if (verdict?.kind === 'alarm') {
      const { step, agent, reason, score } = verdict;
      return { raisedAt, step, agent, reason, score };
    }
  return undefined;
}

export interface PredictedAlarm {
  /** Step of the prefix that was judged. */
  readonly raisedAt: number;
  /** Step that is blamed: at most `raisedAt`. This is what is compared with the label. */
  readonly step: number;
  readonly agent: string;
  readonly reason: string;
  readonly score?: number | undefined;
}
