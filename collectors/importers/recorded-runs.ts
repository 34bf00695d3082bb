import type { ReadOptions } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { importerOf } from './detect-format.js';

/** The runs of one file, whatever its format. @throws InputError */
export async function* recordedRuns(file: string, options: ReadOptions): AsyncGenerator<RecordedRun> {
  const importer = await importerOf(file);
  yield* importer.read(file, options);
}
