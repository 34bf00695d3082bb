import type { createRuntime } from '../../core/index.js';
import type { Harness } from './harness.js';

/** Who is put to the test. */
export interface Subject {
  // What is a host is the harness's business: the suite only hands it back.
  readonly harness: Harness<unknown, unknown>;
  /** Core's own; another one shows that a check notices what core might break. */
  readonly createRuntime: typeof createRuntime;
}

/** One promise, put to the test once. */
export interface Check {
  /** A sentence that is true of a plugin that passes. */
  readonly name: string;
  /** Resolves for a plugin that keeps the promise. @throws AssertionError for one that breaks it */
  run(subject: Subject): Promise<unknown>;
}

export interface Clause {
  readonly name: string;
  readonly checks: readonly Check[];
}
