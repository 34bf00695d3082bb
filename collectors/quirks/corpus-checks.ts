import type { RecordedRun } from '../recorded-run.js';
import type { CorpusCheck, CorpusQuirk } from './corpus-check.js';
import { DuplicateHistories } from './duplicate-histories.js';
import { MistakeStepTexts } from './mistake-step-texts.js';
import { RepeatedRunIds } from './repeated-run-ids.js';
import { SharedFirstTurns } from './shared-first-turns.js';
import { SharedTasks } from './shared-tasks.js';

export interface CorpusOptions {
  /** Ids of the runs kept for testing; without them no leak between the splits can be seen. */
  readonly testRunIds?: ReadonlySet<string> | undefined;
}

/** Checks across runs, fed one run at a time: `observe` each, then read `quirks`. */
export class CorpusQuirks {
  readonly #checks: readonly CorpusCheck[];

  constructor({ testRunIds = new Set() }: CorpusOptions = {}) {
    this.#checks = [
      new RepeatedRunIds(),
      new DuplicateHistories(),
      new SharedTasks(),
      new SharedFirstTurns(testRunIds),
      new MistakeStepTexts(),
    ];
  }

  observe(run: RecordedRun): void {
    for (const check of this.#checks) check.observe(run);
  }

  quirks(): readonly CorpusQuirk[] {
    return this.#checks.flatMap((check) => [...check.report()]);
  }
}
