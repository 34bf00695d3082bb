/** A destination that stalls must not take the host's memory with it: beyond this, records are dropped and counted. */
const MAX_QUEUED_BYTES = 256 * 2 ** 20;

/** What waits to be written. */
export interface Queued {
  readonly bytes: number;
  readonly acknowledge: () => void;
  readonly drop: (cause: unknown) => void;
}

/** Entries in the order of their coming, written batch by batch: what comes while one is under way shares the next. */
export class AppendQueue<Entry extends Queued> {
  readonly #destination: string;
  readonly #maxBatchBytes: number;
  readonly #write: (batch: readonly Entry[]) => Promise<void>;
  readonly #entries: Entry[] = [];
  #bytes = 0;
  #draining: Promise<void> | undefined;

  /**
   * @param destination what is waited for, in words
   * @param write acknowledges or drops every entry of its batch, and never rejects
   */
  constructor(destination: string, maxBatchBytes: number, write: (batch: readonly Entry[]) => Promise<void>) {
    this.#destination = destination;
    this.#maxBatchBytes = maxBatchBytes;
    this.#write = write;
  }

  /** @throws Error when too much waits already */
  add(entry: Entry): void {
    if (this.#bytes + entry.bytes > MAX_QUEUED_BYTES)
      throw new Error(`more than ${MAX_QUEUED_BYTES} bytes wait for the ${this.#destination}`);
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    this.#draining ??= this.#drain();
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Let what is appended in this turn of the event loop share one batch.
    await new Promise(setImmediate);
    while (this.#entries.length > 0) {
      const batch = this.#nextBatch();
      await this.#write(batch);
      this.#bytes -= batch.reduce((total, { bytes }) => total + bytes, 0);
    }
    this.#draining = undefined;
  }

  /** At least one entry, however large. */
  #nextBatch(): Entry[] {
    let bytes = 0;
    const end = this.#entries.findIndex((entry) => {
      bytes += entry.bytes;
      return bytes > this.#maxBatchBytes;
    });
    return this.#entries.splice(0, end === -1 ? this.#entries.length : Math.max(1, end));
  }
}
