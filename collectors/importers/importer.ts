import type { RecordedRun } from '../recorded-run.js';
import type { ImportOptions } from './turn-size.js';

/** One format that runs are kept in. */
export interface Importer {
  /** Kebab-case: `"atif"`. */
  readonly format: string;
  /** Whether a file is of this format. @param first its whole JSON value or, where its lines are values, the first of them */
  recognises(first: unknown): boolean;
  /** The runs of one file, in its order. @throws InputError for what cannot be read, naming file, line and field */
  read(path: string, options: ImportOptions): AsyncIterable<RecordedRun>;
}
