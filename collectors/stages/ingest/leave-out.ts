import { type Outcome, sampled } from '../../../core/index.js';
import type { RecordedRun } from '../../recorded-run.js';

export interface Admission {
  /** How runs of our own log may have ended. */
  readonly outcomes: readonly Outcome['status'][];
  /** `assume`: also runs of which nobody asked. */
  readonly consent: 'recorded' | 'assume';
  /** Share of the runs, chosen by their ids. */
  readonly sample: number;
}

export interface LeftOut {
  readonly rule: 'empty' | 'continued' | 'unfinished' | 'incomplete' | 'consent' | 'sample' | 'duplicate';
  readonly reason: string;
}

/** Why a run is not taken, if it is not. */
export function leftOut(
  { runId, turns, life }: RecordedRun,
  { outcomes, consent, sample }: Admission,
): LeftOut | undefined {
  if (turns.length === 0) return { rule: 'empty', reason: 'it has no turns' };
  if (life?.supersededBy !== undefined)
    return { rule: 'continued', reason: 'its turns are part of a later run, which continues it' };
  if (life && !life.outcome)
    return { rule: 'unfinished', reason: 'cut off: its process died, or is still at work' };
  if (life?.outcome && !outcomes.includes(life.outcome)) return { rule: 'unfinished', reason: life.outcome };
  if (life?.incomplete) return { rule: 'incomplete', reason: 'some of its turns are not in the log' };
  if (life?.consent === false) return { rule: 'consent', reason: 'those concerned did not agree' };
  if (life && life.consent === undefined && consent === 'recorded')
    return { rule: 'consent', reason: 'nobody was asked' };
  if (!sampled(runId, sample)) return { rule: 'sample', reason: 'not in the sample' };
  return undefined;
}
