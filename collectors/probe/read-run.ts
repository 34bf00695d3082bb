import type { Sample } from '../sample.js';
import { prefixShapes } from './prefix-shape.js';
import type { TurnNgrams } from './turn-ngrams.js';

/** A run as numbers: what a probe goes by. What stands at k depends on turns 0 to k alone. */
export interface ReadRun {
  /** Of each prefix: what `SHAPE_NAMES` names. */
  readonly shapes: readonly Float32Array[];
  /** Of each turn: the buckets of its n-grams. Empty where nobody reads them. */
  readonly ngrams: readonly Int32Array[];
}

export function readRun(
  { turns, tools }: Pick<Sample, 'turns' | 'tools'>,
  ngrams: TurnNgrams | undefined,
): ReadRun {
  return {
    shapes: prefixShapes(turns, tools.length).map((row) => Float32Array.from(row)),
    ngrams: ngrams ? turns.map((turn) => ngrams.bucketsOf(turn)) : [],
  };
}
