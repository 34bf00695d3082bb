import { abortFailure } from './chat-failure.js';

/**
 * So many requests at once, the others in the order of their coming. Whoever is aborted leaves the queue at that moment,
 * which cockatiel's bulkhead does only when its turn comes.
 */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number) {
    this.#free = limit;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws ChatFailure when `signal` is aborted before the work has begun */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw abortFailure(signal);
    await this.#enter(signal);
    try {
      if (signal.aborted) throw abortFailure(signal);
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', abandon);
        resolve();
      };
      const abandon = () => {
        this.#waiting.delete(enter);
        reject(abortFailure(signal));
      };
      signal.addEventListener('abort', abandon, { once: true });
      this.#waiting.add(enter);
    });
  }

  /** Hands the place to the next in the queue: whoever comes just now must not slip in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#free++;
  }
}
