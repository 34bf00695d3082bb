import type { Auditor } from '../../core/index.js';
import type { BenchRun } from '../bench-run.js';
import type { Protocol } from '../protocol.js';

/** What an auditor must beat before its score means anything: a rule that understands nothing. */
export interface Floor {
  /** Kebab-case: `constant-step`. */
  readonly name: string;
  readonly title: string;
  /**
   * Chooses whatever is to be chosen, on training runs alone.
   * @param protocol that it will be walked under: the best choice differs
   */
  fit(training: readonly BenchRun[], protocol: Protocol): FittedFloor | Promise<FittedFloor>;
}

/** The auditor for one run. Of the run it may use what an auditor is not told but a rule may be made for, such as its domain. */
export type FittedFloor = (run: BenchRun) => Auditor;
