import type { EarlierRun } from './earlier-run.js';

/** A graph that is hooked by itself inside an unhooked one shares the thread with its siblings, not the namespace. */
export function threadOf(metadata: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const thread = metadata?.['thread_id'];
  const namespace = metadata?.['langgraph_checkpoint_ns'];
  return typeof thread === 'string' ? threadKey(thread, namespace) : undefined;
}

export function threadKey(thread: string, namespace: unknown = ''): string {
  return JSON.stringify([thread, namespace]);
}

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
