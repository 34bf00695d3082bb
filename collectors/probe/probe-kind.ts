import { type BinnedColumn, binned, binsOf } from './binned-column.js';
import { BoostedTrees, type BoostedTreesOptions, DEFAULT_TREES } from './boosted-trees.js';
import { NgramColumns } from './ngram-columns.js';
import type { PrefixRows } from './prefix-rows.js';
import { SHAPE_NAMES } from './prefix-shape.js';
import type { ReadRun } from './read-run.js';
import type { TurnNgrams } from './turn-ngrams.js';

export type ProbeName = 'no-text' | 'n-gram';

/** What a probe looks at. */
export interface ProbeKind {
  readonly name: ProbeName;
  readonly trees: BoostedTreesOptions;
  /** One value per prefix. Columns that are chosen by how well they tell labels are chosen on the training runs alone. */
  columns(trainingRuns: readonly number[]): readonly ProbeColumn[];
}

/** A feature of every prefix that the probe is fitted and tried on, and of any other run's. */
export interface ProbeColumn extends BinnedColumn {
  /** One bin of each prefix. */
  binsOfRun(run: ReadRun): Uint8Array;
}

/**
 * Turn order, roles, lengths and counts, and not a word.
 * @param names of the runs' shapes, where they have more than `prefixShapes` gives them
 */
export function noTextProbe({ runs }: PrefixRows, names: readonly string[] = SHAPE_NAMES): ProbeKind {
  const rows = runs.flatMap(({ shapes }) => shapes);
  const columns = names.map((name, index): ProbeColumn => {
    const valuesOf = (shapes: ReadRun['shapes']) =>
      Float32Array.from(shapes, (shape) => shape[index] as number);
    const column = binned(name, valuesOf(rows));
    return { ...column, binsOfRun: ({ shapes }) => binsOf(column.edges, valuesOf(shapes)) };
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
  readonly columns: readonly ProbeColumn[];
  readonly model: BoostedTrees;
}

/** Of each prefix of a run that need not have been there when the probe was fitted. */
export function scoresOf({ columns, model }: FittedProbe, run: ReadRun): readonly number[] {
  const ofRun = columns.map((column) => ({ ...column, bins: column.binsOfRun(run) }));
  return run.shapes.map((_, step) => model.score(ofRun, step));
}
