import type { ProbeRun } from './probe-corpus.js';

/** All prefixes of all runs, one after another: row numbers, and which of them end with a decisive error. */
export class PrefixRows {
  readonly runs: readonly ProbeRun[];
  readonly count: number;
  /** 1 where the prefix's last turn is the decisive error. */
  readonly labels: Uint8Array;
  /** Row of each run's first prefix, and the number of rows at the end. */
  readonly #starts: Uint32Array;

  constructor(runs: readonly ProbeRun[]) {
    this.runs = runs;
    this.#starts = new Uint32Array(runs.length + 1);
    for (const [index, { shapes }] of runs.entries())
      this.#starts[index + 1] = this.start(index) + shapes.length;
    this.count = this.start(runs.length);
    this.labels = new Uint8Array(this.count);
    for (const [index, { error }] of runs.entries())
      if (error) this.labels[this.start(index) + error.step] = 1;
  }

  start(run: number): number {
    return this.#starts[run] as number;
  }

  end(run: number): number {
    return this.#starts[run + 1] as number;
  }

  /** Rows of some runs, ascending where those are. */
  of(runs: readonly number[]): Uint32Array {
    const rows = new Uint32Array(runs.reduce((total, run) => total + this.end(run) - this.start(run), 0));
    let at = 0;
    for (const run of runs) for (let row = this.start(run); row < this.end(run); row++) rows[at++] = row;
    return rows;
  }
}
