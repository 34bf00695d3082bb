import type { EarlierRun } from './graph-run.js';

/** Threads beyond this are forgotten, the longest untouched first; resumed later, they start from their checkpoint's messages. */
const MAX_THREADS = 256;

/** The last run of each thread, so that a graph that is taken up again is judged with its whole past in view. */
export class ThreadRuns {
  readonly #byThread = new Map<string, EarlierRun>();

  get(thread: string): EarlierRun | undefined {
    return this.#byThread.get(thread);
  }

  set(thread: string, run: EarlierRun): void {
    this.#byThread.delete(thread);
    this.#byThread.set(thread, run);
    const [oldest] = this.#byThread.keys();
    if (this.#byThread.size > MAX_THREADS && oldest !== undefined) this.#byThread.delete(oldest);
  }
}
