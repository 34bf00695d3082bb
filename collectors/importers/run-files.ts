import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../core/index.js';
import { readAfTrajTestSplit } from './aftraj-split.js';

/** A file's part in its corpus, not a file of runs. */
const SPLIT_FILE = 'splits_test.json';
const RUN_FILES = new Set(['.json', '.jsonl', '.parquet']);

/** The files as they are, and those of folders and their sub-folders that may hold runs, by number where names have one. */
export async function runFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (given) => ((await isFolder(given)) ? filesIn(given) : [given])),
  );
  return found.flat();
}

/** Ids of test runs beside any of the files, so that leaks between the splits can be told. */
export async function testRunIds(files: readonly string[]): Promise<ReadonlySet<string>> {
  const folders = new Map(
    files.filter((file) => file.endsWith('.parquet')).map((file) => [path.dirname(file), file]),
  );
  const splits = await Promise.all([...folders.values()].map((file) => readAfTrajTestSplit(file)));
  return new Set(splits.flatMap((split) => [...(split ?? [])]));
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && RUN_FILES.has(path.extname(entry.name)) && entry.name !== SPLIT_FILE)
    // Predictions over a dataset are named so in the public releases; they hold no runs.
    .filter((entry) => !entry.name.endsWith('.per_sample.jsonl'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort(new Intl.Collator('en', { numeric: true }).compare);
  if (files.length > 0) return files;
  throw new InputError(
    { file: folder },
    'no run file in this folder',
    `It holds no file ending in ${[...RUN_FILES].join(', ')}`,
  );
}

async function isFolder(given: string): Promise<boolean> {
  try {
    return (await stat(given)).isDirectory();
  } catch {
    return false; // Reading it will say what is wrong.
  }
}
