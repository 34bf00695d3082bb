import { Prefix, type Slice } from './prefix.js';
import type { Turn } from './turn.js';

/** A turn before the trajectory has given it its place in the count. */
export type UnplacedTurn = Omit<Turn, 'index'>;

/**
 * The run so far: append-only, ordered by each turn's `path`, whatever order parallel branches arrive in.
 *
 * A run without branches is one growing array, and a prefix is that array and a length. Side-by-side lanes each grow an
 * array of their own on top of what came before them; when their step is over they are folded into it, lane by lane in
 * name order, and renumbered. So a prefix stays a view, every turn is copied at most once per nesting level, and the
 * order at the end depends on the graph alone.
 */
export class Trajectory {
  readonly #trunk = new Lane(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Places a turn and returns the prefix that ends with it. A step number that runs backwards counts as the current one. */
  append(turn: UnplacedTurn): Prefix {
    const slices: Slice[] = [];
    let lane = this.#trunk;
    for (const { step, lane: name } of turn.path) {
      slices.push(lane.enter(step));
      lane = lane.child(name);
    }
    slices.push(lane.push(turn));
    this.#length++;
    return new Prefix(slices);
  }

  /** Every turn in final order, renumbered, lanes that are still open included. */
  turns(): readonly Turn[] {
    return [...this.#trunk.inOrder()].map((turn, index) =>
      turn.index === index ? turn : { ...turn, index },
    );
  }

  /** The turns from the root to the end as one prefix. */
  whole(): Prefix {
    const turns = this.turns();
    return new Prefix([{ turns, length: turns.length }]);
  }
}

/** One line of work: its settled turns, and the lanes of the step that is under way. */
class Lane {
  readonly #settled: Turn[] = [];
  readonly #open = new Map<string, Lane>();
  #step = -1;
  /** How many turns stand before this lane's first one. */
  readonly #base: number;

  constructor(base: number) {
    this.#base = base;
  }

  enter(step: number): Slice {
    if (step > this.#step) {
      this.#fold();
      this.#step = step;
    }
    return { turns: this.#settled, length: this.#settled.length };
  }

  child(name: string): Lane {
    const open = this.#open.get(name);
    if (open) return open;
    const lane = new Lane(this.#base + this.#settled.length);
    this.#open.set(name, lane);
    return lane;
  }

  push(turn: UnplacedTurn): Slice {
    this.#fold();
    this.#settle(turn);
    return { turns: this.#settled, length: this.#settled.length };
  }

  *inOrder(): Generator<Turn> {
    yield* this.#settled;
    for (const lane of this.#openInOrder()) yield* lane.inOrder();
  }

  #openInOrder(): Iterable<Lane> {
    if (this.#open.size <= 1) return this.#open.values();
    return [...this.#open.keys()].sort().map((name) => this.#open.get(name) as Lane);
  }

  #fold(): void {
    if (this.#open.size === 0) return;
    for (const lane of this.#openInOrder()) {
      if (lane.#open.size === 0) for (const turn of lane.#settled) this.#settle(turn);
      else for (const turn of lane.inOrder()) this.#settle(turn);
    }
    this.#open.clear();
  }

  #settle(turn: UnplacedTurn): void {
    const index = this.#base + this.#settled.length;
    this.#settled.push('index' in turn && turn.index === index ? (turn as Turn) : { ...turn, index });
  }
}
