import type { UnfinishedRun } from './graph-run.js';

/** Threads beyond this are forgotten, the longest untouched first; resumed later, they start from their checkpoint's messages. */
const MAX_THREADS = 256;

/** The last unfinished run of each thread, so that a resumed graph is judged with its whole past in view. */
export class UnfinishedRuns {
  readonly #byThread = new Map<string, UnfinishedRun>();

  get(thread: string): UnfinishedRun | undefined {
    return this.#byThread.get(thread);
  }

  set(thread: string, run: UnfinishedRun): void {
    this.#byThread.delete(thread);
    this.#byThread.set(thread, run);
    const [oldest] = this.#byThread.keys();
    if (this.#byThread.size > MAX_THREADS && oldest !== undefined) this.#byThread.delete(oldest);
  }

  delete(thread: string): void {
    this.#byThread.delete(thread);
  }
}
