import type { RecordedRun } from '../recorded-run.js';
import { type CorpusCheck, type CorpusQuirk, Groups } from './corpus-check.js';

interface Place {
  readonly runId: string;
  readonly source: string;
}

/** Run ids name runs in splits and predictions, so two runs of one id cannot be told apart there. */
export class RepeatedRunIds implements CorpusCheck {
  readonly #byId = new Groups<Place>();

  observe({ runId, source }: RecordedRun): void {
    this.#byId.add(runId, { runId, source });
  }

  *report(): Generator<CorpusQuirk> {
    for (const places of this.#byId.ofAtLeast(2)) {
      const detail = `in ${places.map(({ source }) => source).join(', ')}`;
      yield { code: 'repeated-run-id', runs: places.map(({ runId }) => runId), detail };
    }
  }
}
