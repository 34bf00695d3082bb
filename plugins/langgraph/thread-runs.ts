import type { EarlierRun } from './earlier-run.js';

/** Threads beyond this are forgotten, the longest untouched first; resumed later, they are read from their checkpoints. */
const MAX_THREADS = 256;

/** A conversation, by the checkpointer that keeps it and its name there; another checkpointer's thread 1 is another one. */
export interface Thread {
  readonly checkpointer: object;
  readonly id: string;
}

/** The last run of each thread, so that a graph that is taken up again is judged with its whole past in view. */
export class ThreadRuns {
  readonly #byThread = new Map<string, EarlierRun>();
  readonly #numbers = new WeakMap<object, number>();
  #checkpointers = 0;

  get(thread: Thread): EarlierRun | undefined {
    return this.#byThread.get(this.#key(thread));
  }

  set(thread: Thread, run: EarlierRun): void {
    const key = this.#key(thread);
    this.#byThread.delete(key);
    this.#byThread.set(key, run);
    const [oldest] = this.#byThread.keys();
    if (this.#byThread.size > MAX_THREADS && oldest !== undefined) this.#byThread.delete(oldest);
  }

  #key({ checkpointer, id }: Thread): string {
    const number = this.#numbers.get(checkpointer) ?? ++this.#checkpointers;
    this.#numbers.set(checkpointer, number);
    return `${number}/${id}`;
  }
}
