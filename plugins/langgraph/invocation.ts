import type { AlarmQuestion } from './alarm-interrupt.js';
import type { EarlierRun } from './earlier-run.js';
import type { GraphRun } from './graph-run.js';

/** What is known of one invocation of the audited graph before it begins, and the run that it became. */
export interface Invocation {
  /** The run that this one takes up. */
  readonly earlier: EarlierRun | undefined;
  /** What can be done about an alarm, beside halting: both need a checkpointer and a thread. */
  readonly can: readonly ('pause' | 'recover')[];
  /** A pause that the caller has not answered, since the resume names other interrupts only. */
  readonly standing?: StandingPause | undefined;
  run?: GraphRun;
}

export interface StandingPause {
  readonly interruptId: string;
  readonly question: AlarmQuestion;
  /** Namespaces of the root graph's tasks whose questions the caller has answered: they go on. */
  readonly answered: ReadonlySet<string>;
}
