import type { Turn } from './turn.js';

/** The first `length` turns of an array that only ever grows: frozen in effect, without a copy. */
export interface Slice {
  readonly turns: readonly Turn[];
  readonly length: number;
}

/**
 * A question asked of many prefixes ("was this number seen before?"), answered from an index that grows with the run
 * instead of a scan per step. Keep one object per question: its identity is the cache key.
 */
export interface TurnIndex {
  /** The keys under which later turns may look for this one. */
  keys(turn: Turn): Iterable<string>;
}

/**
 * A question to each turn in its place ("does it deserve a call?"), whose yeses are counted once for all prefixes. Keep one
 * object per question: its identity is the cache key.
 */
export interface TurnCount {
  /** May look at turns before `turn` only; later ones are there in some prefixes and not in others. */
  counts(prefix: Prefix, turn: Turn): boolean;
}

/** Positions of every key in one growing array, ascending; filled up to `filled`. */
interface Positions {
  filled: number;
  readonly byKey: Map<string, number[]>;
}

/** How many of an array's first i + 1 turns count. */
const talliesOf = new WeakMap<readonly Turn[], Map<TurnCount, number[]>>();

const positionsOf = new WeakMap<readonly Turn[], Map<TurnIndex, Positions>>();

/**
 * Turns 0..k of a run, all that an online auditor may see at step k: a view, not a copy. In every prefix
 * `prefix.at(i).index === i`. Under parallel branches it is the newest turn's causal past, so that what an auditor sees
 * does not depend on which branch was quicker.
 */
export class Prefix implements Iterable<Turn> {
  readonly length: number;
  readonly #slices: readonly Slice[];

  /** @internal Plugins and auditors receive prefixes; only a {@link Trajectory} makes them. */
  constructor(slices: readonly Slice[]) {
    this.#slices = slices;
    this.length = slices.reduce((total, slice) => total + slice.length, 0);
  }

  /** The turn at a 0-based step, or counted from the end when negative, as `Array.prototype.at`. */
  at(step: number): Turn | undefined {
    let offset = step < 0 ? step + this.length : step;
    if (offset < 0) return undefined;
    for (const slice of this.#slices) {
      if (offset < slice.length) return slice.turns[offset];
      offset -= slice.length;
    }
    return undefined;
  }

  /** The turn being judged. A prefix is never empty. */
  get newest(): Turn {
    return this.at(-1) as Turn;
  }

  *[Symbol.iterator](): Iterator<Turn> {
    for (const { turns, length } of this.#slices) {
      for (let offset = 0; offset < length; offset++) yield turns[offset] as Turn;
    }
  }

  /** The earliest turn filed under `key`; amortised constant time in the length of the run. */
  first(index: TurnIndex, key: string): Turn | undefined {
    for (const slice of this.#slices) {
      const position = positions(slice, index, key)[0];
      if (position !== undefined && position < slice.length) return slice.turns[position];
    }
    return undefined;
  }

  /** The latest turn filed under `key` that stands before step `before` (default: the newest turn counts too). */
  last(index: TurnIndex, key: string, before = this.length): Turn | undefined {
    let end = this.length;
    for (const slice of this.#slices.toReversed()) {
      const start = end - slice.length;
      const position = lastBelow(positions(slice, index, key), Math.min(slice.length, before - start));
      if (position !== undefined) return slice.turns[position];
      end = start;
    }
    return undefined;
  }

  /** How many turns count, the newest included; amortised constant time in the length of the run. */
  count(question: TurnCount): number {
    return this.#slices.reduce((total, slice) => total + this.#tally(slice, question), 0);
  }

  #tally({ turns, length }: Slice, question: TurnCount): number {
    const tallies = talliesOf.get(turns) ?? new Map<TurnCount, number[]>();
    talliesOf.set(turns, tallies);
    const tally = tallies.get(question) ?? [];
    tallies.set(question, tally);
    for (let i = tally.length; i < length; i++)
      tally.push((tally[i - 1] ?? 0) + (question.counts(this, turns[i] as Turn) ? 1 : 0));
    return tally[length - 1] ?? 0;
  }
}

function positions({ turns, length }: Slice, index: TurnIndex, key: string): readonly number[] {
  const filed = positionsIn(turns, index);
  for (; filed.filled < length; filed.filled++) {
    for (const name of new Set(index.keys(turns[filed.filled] as Turn))) {
      const list = filed.byKey.get(name);
      if (list) list.push(filed.filled);
      else filed.byKey.set(name, [filed.filled]);
    }
  }
  return filed.byKey.get(key) ?? [];
}

function positionsIn(turns: readonly Turn[], index: TurnIndex): Positions {
  const indexes = positionsOf.get(turns) ?? new Map<TurnIndex, Positions>();
  positionsOf.set(turns, indexes);
  const filed = indexes.get(index) ?? { filled: 0, byKey: new Map() };
  indexes.set(index, filed);
  return filed;
}

/** Binary search: the largest position below `limit`. */
function lastBelow(ascending: readonly number[], limit: number): number | undefined {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return ascending[low - 1];
}
