import { hash } from 'node:crypto';
import type { RecordedRun } from '../../recorded-run.js';

/** Ids and contents of the runs so far, as hashes. */
export class KnownRuns {
  readonly #contents = new Map<string, Set<string>>();
  readonly #ids = new Set<string>();

  /** The run's id in the corpus, which is not its own where another run has that; undefined for the same run again. */
  admit({ runId, turns }: RecordedRun): string | undefined {
    const content = hash('sha256', JSON.stringify(turns), 'base64');
    const contents = this.#contents.get(runId) ?? new Set<string>();
    if (contents.has(content)) return undefined;
    this.#contents.set(runId, contents.add(content));
    let id = runId;
    for (let times = contents.size; this.#ids.has(id); times++) id = `${runId}#${times}`;
    this.#ids.add(id);
    return id;
  }
}
