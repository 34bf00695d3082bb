/** One feature of every prefix, as the number of the bin that its value falls into. */
export interface BinnedColumn {
  /** What it is, in words: `"characters of this turn"`. */
  readonly name: string;
  /** One per row, 0 to 63. */
  readonly bins: Uint8Array;
  /** Largest value of each bin but the last, which has none. Ascending. */
  readonly edges: readonly number[];
}

const MOST_BINS = 64;

/** Bins of about equal size; a column of fewer values than bins keeps each apart. Of the values alone, never of labels. */
export function binned(name: string, values: Float32Array): BinnedColumn {
  const sorted = values.toSorted();
  const distinct = sorted.filter((value, at) => at === 0 || value !== sorted[at - 1]);
  const edges =
    distinct.length <= MOST_BINS
      ? [...distinct.subarray(0, -1)]
      : quantiles(sorted).filter((edge) => edge < (sorted.at(-1) as number));
  return { name, edges, bins: binsOf(edges, values) };
}

/** Of other values, such as those of a run that the edges were not made from. */
export function binsOf(edges: readonly number[], values: ArrayLike<number>): Uint8Array {
  return Uint8Array.from(values, (value) => binOf(edges, value));
}

export function binCount({ edges }: BinnedColumn): number {
  return edges.length + 1;
}

function quantiles(sorted: Float32Array): number[] {
  const cuts = Array.from(
    { length: MOST_BINS - 1 },
    (_, cut) => sorted[Math.floor(((cut + 1) * sorted.length) / MOST_BINS)] as number,
  );
  return [...new Set(cuts)];
}

/** The first bin whose edge is not below the value. */
function binOf(edges: readonly number[], value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
