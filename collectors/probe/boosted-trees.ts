import { type BinnedColumn, binCount } from './binned-column.js';
import { randomNumbers } from './random-numbers.js';

/** How trees are grown. The defaults were chosen by cross-validation on AFTraj's training rows. */
export interface BoostedTreesOptions {
  readonly trees: number;
  readonly depth: number;
  /** What each tree's answer counts for. */
  readonly learningRate: number;
  /** Of the rows, drawn anew for each tree. */
  readonly rowShare: number;
  /** Of the columns, drawn anew for each tree. */
  readonly columnShare: number;
  /** L2 penalty on the leaves' answers. */
  readonly penalty: number;
  /** Least sum of p(1 - p) in a leaf: about four times as many rows are undecided there. */
  readonly leafWeight: number;
  readonly seed: number;
}

export const DEFAULT_TREES: BoostedTreesOptions = {
  trees: 120,
  depth: 5,
  learningRate: 0.1,
  rowShare: 0.6,
  columnShare: 0.3,
  penalty: 2,
  leafWeight: 1,
  seed: 1,
};

/** A split, its children at `2 * at + 1` (bin at most `bin`) and `2 * at + 2`; a leaf has no column. */
interface Node {
  readonly column: number;
  readonly bin: number;
  readonly value: number;
}

const LEAF = -1;

/**
 * Gradient-boosted trees on binned columns, for two classes: second-order boosting of the logistic loss with histogram
 * splits (Chen and Guestrin 2016; Ke et al. 2017), as XGBoost's `hist` and LightGBM do it.
 */
export class BoostedTrees {
  /** Loss saved by splits on each column, summed over all trees. */
  readonly gains: Float64Array;
  readonly #trees: (Node | undefined)[][] = [];
  readonly #base: number;

  /** @param labels 0 or 1 of every row; only those of `rows` are read */
  constructor(
    columns: readonly BinnedColumn[],
    labels: Uint8Array,
    rows: Uint32Array,
    options: BoostedTreesOptions = DEFAULT_TREES,
  ) {
    this.gains = new Float64Array(columns.length);
    const positives = rows.reduce((total, row) => total + (labels[row] as number), 0);
    const prior = (positives + 0.5) / (rows.length + 1);
    this.#base = Math.log(prior / (1 - prior));
    const random = randomNumbers(options.seed);
    const margins = new Float64Array(labels.length).fill(this.#base);
    const slopes: Slopes = {
      gradients: new Float64Array(labels.length),
      curvatures: new Float64Array(labels.length),
    };
    for (let round = 0; round < options.trees; round++) {
      for (const row of rows) {
        const p = 1 / (1 + Math.exp(-(margins[row] as number)));
        slopes.gradients[row] = p - (labels[row] as number);
        slopes.curvatures[row] = p * (1 - p);
      }
      const drawn = rows.filter(() => random() < options.rowShare);
      const usable = columns.flatMap((_, index) => (random() < options.columnShare ? [index] : []));
      const tree: (Node | undefined)[] = [];
      grow(tree, 0, options.depth, drawn, { columns, usable, slopes, options, gains: this.gains });
      this.#trees.push(tree);
      for (const row of rows) margins[row] = (margins[row] as number) + answer(tree, columns, row);
    }
  }

  /** Log-odds of class 1. */
  score(columns: readonly BinnedColumn[], row: number): number {
    return this.#trees.reduce((total, tree) => total + answer(tree, columns, row), this.#base);
  }
}

interface Slopes {
  readonly gradients: Float64Array;
  readonly curvatures: Float64Array;
}

interface Growth {
  readonly columns: readonly BinnedColumn[];
  readonly usable: readonly number[];
  readonly slopes: Slopes;
  readonly options: BoostedTreesOptions;
  readonly gains: Float64Array;
}

function grow(
  tree: (Node | undefined)[],
  at: number,
  depth: number,
  rows: Uint32Array,
  growth: Growth,
): void {
  const { columns, slopes, options, gains } = growth;
  const sums = sumOf(rows, slopes);
  const split = depth > 0 ? bestSplit(rows, sums, growth) : undefined;
  if (split === undefined) {
    const value = (-options.learningRate * sums.gradient) / (sums.curvature + options.penalty);
    tree[at] = { column: LEAF, bin: 0, value };
    return;
  }
  tree[at] = { column: split.column, bin: split.bin, value: 0 };
  gains[split.column] = (gains[split.column] as number) + split.gain;
  const [low, high] = parted(rows, columns[split.column] as BinnedColumn, split.bin);
  grow(tree, 2 * at + 1, depth - 1, low, growth);
  grow(tree, 2 * at + 2, depth - 1, high, growth);
}

function parted(
  rows: Uint32Array,
  { bins }: BinnedColumn,
  bin: number,
): [low: Uint32Array, high: Uint32Array] {
  const low = new Uint32Array(rows.length);
  const high = new Uint32Array(rows.length);
  let lows = 0;
  let highs = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    if ((bins[row] as number) <= bin) low[lows++] = row;
    else high[highs++] = row;
  }
  return [low.subarray(0, lows), high.subarray(0, highs)];
}

interface Sums {
  readonly gradient: number;
  readonly curvature: number;
}

function sumOf(rows: Uint32Array, { gradients, curvatures }: Slopes): Sums {
  let gradient = 0;
  let curvature = 0;
  for (const row of rows) {
    gradient += gradients[row] as number;
    curvature += curvatures[row] as number;
  }
  return { gradient, curvature };
}

interface Split {
  readonly column: number;
  readonly bin: number;
  readonly gain: number;
}

function bestSplit(rows: Uint32Array, sums: Sums, growth: Growth): Split | undefined {
  const { columns, usable, slopes, options } = growth;
  const worth = (gradient: number, curvature: number) => gradient ** 2 / (curvature + options.penalty);
  const whole = worth(sums.gradient, sums.curvature);
  let best: Split | undefined;
  for (const column of usable) {
    const binned = columns[column] as BinnedColumn;
    const histogram = histogramOf(binned, rows, slopes);
    let gradient = 0;
    let curvature = 0;
    for (let bin = 0; bin < binCount(binned) - 1; bin++) {
      gradient += histogram[2 * bin] as number;
      curvature += histogram[2 * bin + 1] as number;
      if (curvature < options.leafWeight) continue;
      if (sums.curvature - curvature < options.leafWeight) break;
      const gain =
        worth(gradient, curvature) + worth(sums.gradient - gradient, sums.curvature - curvature) - whole;
      if (gain > (best?.gain ?? 1e-9)) best = { column, bin, gain };
    }
  }
  return best;
}

const MOST_BINS = 256;
/** One for all: a split is found before the next one is looked for. */
const scratch = new Float64Array(2 * MOST_BINS);

/** Gradient and curvature of each bin, in turns. */
function histogramOf(binned: BinnedColumn, rows: Uint32Array, slopes: Slopes): Float64Array {
  const { bins } = binned;
  const { gradients, curvatures } = slopes;
  scratch.fill(0, 0, 2 * binCount(binned));
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    const slot = 2 * (bins[row] as number);
    scratch[slot] = (scratch[slot] as number) + (gradients[row] as number);
    scratch[slot + 1] = (scratch[slot + 1] as number) + (curvatures[row] as number);
  }
  return scratch;
}

function answer(tree: readonly (Node | undefined)[], columns: readonly BinnedColumn[], row: number): number {
  let at = 0;
  for (;;) {
    const node = tree[at] as Node;
    if (node.column === LEAF) return node.value;
    const bin = (columns[node.column] as BinnedColumn).bins[row] as number;
    at = bin <= node.bin ? 2 * at + 1 : 2 * at + 2;
  }
}
