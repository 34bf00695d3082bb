import type { Decision } from '../gate.js';
import type { Outcome } from '../run-info.js';
import { precedes, type TurnPath } from '../turn-path.js';

/** How and why a run has been stopped. */
export type Stop = Exclude<Decision, { readonly action: 'proceed' }>;

/** A verdict that is under way. */
interface Pending {
  readonly path: TurnPath;
  readonly decided: Promise<void>;
}

/** The verdicts that a run's host has yet to wait for, by the places of the turns; and what has been decided so far. */
export class PendingVerdicts {
  readonly #onStop: ((stop: Stop) => void) | undefined;
  readonly #pending = new Set<Pending>();
  /** Who waits, to be let go when the run ends. A promise for the end would keep a reaction for every wait. */
  readonly #waiting = new Set<() => void>();
  #cutShort: Outcome['status'] | undefined;
  #stop: Stop | undefined;

  /** @param onStop is told, once, that the run has been stopped */
  constructor(onStop?: (stop: Stop) => void) {
    this.#onStop = onStop;
  }

  /** The first decision that was not to proceed. */
  get stopped(): Stop | undefined {
    return this.#stop;
  }

  /** How the run ended, if it did not complete. */
  get cutShort(): Outcome['status'] | undefined {
    return this.#cutShort;
  }

  /** Something was said at `path`, and what is to be done about it will be decided. */
  expect(path: TurnPath, decision: Promise<Decision>): void {
    const pending: Pending = {
      path,
      decided: decision.then((decided) => {
        this.note(decided);
        this.#pending.delete(pending);
      }),
    };
    this.#pending.add(pending);
  }

  note(decision: Decision): void {
    if (decision.action === 'proceed' || this.#stop) return;
    this.#stop = decision;
    this.#onStop?.(decision);
  }

  /**
   * Waits for the verdicts on everything that precedes `path`; nothing where none is pending. Resolves also when the
   * run ends before they are there, unless it had ended already.
   */
  before(path: TurnPath): Promise<void> | undefined {
    if (this.#pending.size === 0) return undefined;
    const preceding = [...this.#pending].filter((pending) => precedes(pending.path, path));
    return preceding.length === 0 ? undefined : this.#settled(preceding);
  }

  /** The run is over. Nobody waits for a verdict any more. */
  end({ status }: Outcome): void {
    if (status === 'completed') return;
    this.#cutShort = status;
    for (const letGo of this.#waiting) letGo();
  }

  #settled(pending: readonly Pending[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#cutShort === undefined) this.#waiting.add(resolve);
    const letGo = () => {
      this.#waiting.delete(resolve);
      resolve();
    };
    const [only, ...more] = pending;
    // Where agents take turns, one is pending.
    const all = only && more.length === 0 ? only.decided : Promise.all(pending.map(({ decided }) => decided));
    void all.then(letGo);
    return promise;
  }
}
