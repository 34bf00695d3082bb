import type { RecordedRun } from '../recorded-run.js';
import { type CorpusCheck, type CorpusQuirk, Groups } from './corpus-check.js';

/** Runs that begin with the same words, and test runs that begin as a training run does. */
export class SharedFirstTurns implements CorpusCheck {
  readonly #testRunIds: ReadonlySet<string>;
  readonly #byFirstTurn = new Groups<string>();

  constructor(testRunIds: ReadonlySet<string>) {
    this.#testRunIds = testRunIds;
  }

  observe({ runId, turns: [first] }: RecordedRun): void {
    this.#byFirstTurn.add(first?.content ?? '', runId);
  }

  *report(): Generator<CorpusQuirk> {
    for (const runs of this.#byFirstTurn.ofAtLeast(2)) {
      yield { code: 'shared-first-turn', runs, detail: `${runs.length} runs begin with the same words` };
      const training = runs.filter((runId) => !this.#testRunIds.has(runId));
      if (training.length === 0) continue;
      for (const runId of runs.filter((one) => this.#testRunIds.has(one))) {
        const detail = `a test run that begins as ${training.length} training runs do`;
        yield { code: 'split-leak', runs: [runId, ...training], detail };
      }
    }
  }
}
