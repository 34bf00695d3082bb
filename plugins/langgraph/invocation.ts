import type { AlarmQuestion } from './alarm-interrupt.js';
import type { EarlierRun } from './earlier-run.js';
import type { GraphRun } from './graph-run.js';
import type { Thread } from './thread-runs.js';

/** What is known of one invocation of the audited graph before it begins, and the run that it became. */
export interface Invocation {
  /** Where the run is kept; one that is kept nowhere can only be halted. */
  readonly thread: Thread | undefined;
  /** The run that this one takes up. */
  readonly earlier: EarlierRun | undefined;
  /** A pause that the caller has not answered, since the resume names other interrupts only. */
  readonly standing?: StandingPause | undefined;
  run?: GraphRun;
  /** To be called when the run is over. */
  ended?: () => void;
}

export interface StandingPause {
  readonly interruptId: string;
  readonly question: AlarmQuestion;
  /** Namespaces of the root graph's tasks whose questions the caller has answered: they go on. */
  readonly answered: ReadonlySet<string>;
}
