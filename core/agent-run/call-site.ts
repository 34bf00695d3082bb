import type { TurnPath } from '../turn-path.js';

/** How many rounds of calls each place of a run has seen; it outlives a node's failed attempt, whose places are taken. */
export type CallCounts = Map<string, number>;

/**
 * A place from which agents, graphs or tools are called: a function, a node, a tool at work. Calls that follow one another are
 * steps of their own; calls that overlap are lanes of one step, numbered in the order of their starts, for neither can
 * have seen the other's turns.
 */
export class CallSite {
  readonly path: TurnPath;
  /** Whether the caller waits for the verdicts on the answers of those it calls, and they need not. */
  readonly holdsAnswers: boolean;
  readonly #counts: CallCounts;
  #step = 0;
  #lanes = 0;
  #open = 0;

  constructor(path: TurnPath, counts: CallCounts, holdsAnswers = false) {
    this.path = path;
    this.#counts = counts;
    this.holdsAnswers = holdsAnswers;
  }

  /** @returns the place of the call's own turns */
  enter(): TurnPath {
    if (this.#open === 0) {
      const key = pathKey(this.path);
      this.#step = (this.#counts.get(key) ?? 0) + 1;
      this.#counts.set(key, this.#step);
      this.#lanes = 0;
    }
    this.#open++;
    return [...this.path, { step: this.#step, lane: `call/${padded(this.#lanes++)}` }];
  }

  leave(): void {
    this.#open--;
  }
}

/** A path as text, the same in every run of the same host. */
export function pathKey(path: TurnPath): string {
  return path.map(({ step, lane }) => `${step}:${lane}`).join('|');
}

/** Lanes are compared as text. */
export function padded(count: number): string {
  return String(count).padStart(6, '0');
}
