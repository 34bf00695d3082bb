import type { ReadOptions } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';

/** One format that runs are kept in. */
export interface Importer {
  /** Kebab-case: `"atif"`. */
  readonly format: string;
  /** As messages name it: `"AFTraj (Parquet)"`. */
  readonly title: string;
  /**
   * Whether a file is of this format.
   * @param first its whole JSON value or, where its lines are values, the first of them; of a Parquet file, its first bytes
   */
  recognises(first: unknown): boolean;
  /** The runs of one file, in its order. @throws InputError for what cannot be read, naming file, line and field */
  read(path: string, options: ReadOptions): AsyncIterable<RecordedRun>;
}
