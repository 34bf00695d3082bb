import type { ScoredRun } from '../../core/calibration/scored-run.js';

/** Seeded draws: a generator small enough to read (mulberry32), good enough for a simulation. */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Uniform, from 0 up to 1. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}

export interface Simulation {
  /** What the auditor reports of its score: all of it, or one of a few values. */
  readonly rounded?: (score: number) => number;
  /** Whether one of the first steps is a mistake, 4 higher in log-odds. */
  readonly failed?: boolean;
}

/** A run whose scores rise with the step by nature, as those of an auditor do that grows wary of long runs. */
export function simulatedRun(draws: Draws, { rounded = (score) => score, failed = false }: Simulation = {}) {
  const length = 3 + Math.floor(draws.uniform() * 18);
  const mistake = failed ? 1 + Math.floor(draws.uniform() * Math.min(8, length)) : 0;
  const wariness = draws.normal();
  const scores = Array.from({ length }, (_, at) => {
    const step = at + 1;
    const odds = -5 + 0.25 * step + 0.7 * wariness + 0.8 * draws.normal() + (step === mistake ? 4 : 0);
    return { step, score: rounded(1 / (1 + Math.exp(-odds))) };
  });
  return { task: `task ${draws.uniform()}`, scores } satisfies ScoredRun;
}

export function simulatedRuns(count: number, draws: Draws, simulation: Simulation = {}): ScoredRun[] {
  return Array.from({ length: count }, () => simulatedRun(draws, simulation));
}
