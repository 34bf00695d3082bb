import type { PastRun, Runtime } from '../../core/index.js';

/** Runs that wait for somebody, by Mastra's id of the run; the oldest are let go. */
const MOST_RUNS = 256;

const byRuntime = new WeakMap<Runtime, PastRuns>();

export function pastRuns(runtime: Runtime): PastRuns {
  const known = byRuntime.get(runtime) ?? new PastRuns();
  byRuntime.set(runtime, known);
  return known;
}

export class PastRuns {
  readonly #runs = new Map<string, PastRun>();

  get(runId: string): PastRun | undefined {
    return this.#runs.get(runId);
  }

  set(runId: string, past: PastRun): void {
    this.#runs.delete(runId);
    this.#runs.set(runId, past);
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= MOST_RUNS) break;
      this.#runs.delete(oldest);
    }
  }
}
