import { dirname, join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/index.js';
import { readTextFile } from './input-file.js';
import { parseJson } from './parse-json.js';
import { validate } from './validate.js';

const splitSchema = z.object({ test_safe: z.array(z.string()), test_unsafe: z.array(z.string()) });

/** Run ids of the published test split, from `splits_test.json` beside the Parquet file; undefined when there is none. */
export async function readAfTrajTestSplit(parquetPath: string): Promise<ReadonlySet<string> | undefined> {
  const path = join(dirname(parquetPath), 'splits_test.json');
  const text = await readTextFile(path).catch((error: unknown) => {
    if (error instanceof InputError && isMissing(error.cause)) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const split = validate(splitSchema, parseJson(path, text), { file: path });
  return new Set([...split.test_safe, ...split.test_unsafe]);
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}
