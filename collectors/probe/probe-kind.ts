import type { BinnedColumn } from './binned-column.js';
import { binned } from './binned-column.js';
import { BoostedTrees, type BoostedTreesOptions, DEFAULT_TREES } from './boosted-trees.js';
import { NgramColumns } from './ngram-columns.js';
import type { PrefixRows } from './prefix-rows.js';
import { SHAPE_NAMES } from './prefix-shape.js';
import type { TurnNgrams } from './turn-ngrams.js';

export type ProbeName = 'no-text' | 'n-gram';

/** What a probe looks at. */
export interface ProbeKind {
  readonly name: ProbeName;
  readonly trees: BoostedTreesOptions;
  /** One value per prefix. Columns that are chosen by how well they tell labels are chosen on the training runs alone. */
  columns(trainingRuns: readonly number[]): readonly BinnedColumn[];
}

/** Turn order, roles, lengths and counts, and not a word. */
export function noTextProbe({ runs, count }: PrefixRows): ProbeKind {
  const rows = runs.flatMap(({ shapes }) => shapes);
  const columns = SHAPE_NAMES.map((name, index) => {
    const values = new Float32Array(count);
    for (const [row, shape] of rows.entries()) values[row] = shape[index] as number;
    return binned(name, values);
  });
  return { name: 'no-text', trees: DEFAULT_TREES, columns: () => columns };
}

/** The same, and which tokens and pairs of tokens the turns have. */
export function ngramProbe(rows: PrefixRows, noText: ProbeKind, ngrams: TurnNgrams): ProbeKind {
  const columns = new NgramColumns(rows, ngrams);
  return {
    name: 'n-gram',
    trees: { ...DEFAULT_TREES, columnShare: 0.2 },
    columns: (trainingRuns) => [...noText.columns(trainingRuns), ...columns.chosenOn(trainingRuns)],
  };
}

/** Fits a probe to some runs; it then scores any of them. @returns score of each prefix: log-odds of an error at its end */
export function fit(kind: ProbeKind, rows: PrefixRows, trainingRuns: readonly number[]): FittedProbe {
  const columns = kind.columns(trainingRuns);
  const model = new BoostedTrees(columns, rows.labels, rows.of(trainingRuns), kind.trees);
  return { columns, model };
}

export interface FittedProbe {
  readonly columns: readonly BinnedColumn[];
  readonly model: BoostedTrees;
}
