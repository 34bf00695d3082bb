import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { JsonValue } from '../../../core/index.js';
import { runFiles } from '../../importers/run-files.js';

export interface InputFile {
  readonly path: string;
  /** As it is named in what is made of it, without the folders above what was given: `"logs/2026/monday.jsonl"`. */
  readonly source: string;
}

/** The files that hold runs, in order. @throws InputError for a folder without any */
export async function inputFiles(paths: readonly string[]): Promise<readonly InputFile[]> {
  const found = await Promise.all(
    paths.map(async (given) =>
      (await runFiles([given])).map((file) => ({ path: file, source: sourceOf(given, file) })),
    ),
  );
  return found.flat();
}

/** Name and content of each. What cannot be read has none: reading it will say why. */
export async function fingerprintOf(files: readonly InputFile[], signal: AbortSignal): Promise<JsonValue> {
  const prints: JsonValue[] = [];
  for (const file of files) prints.push([file.source, await contentOf(file.path, signal)]);
  return prints;
}

function sourceOf(given: string, file: string): string {
  const inside = path.relative(given, file);
  return path
    .join(path.basename(path.resolve(given)), inside)
    .split(path.sep)
    .join('/');
}

async function contentOf(file: string, signal: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, signal })) hash.update(chunk);
  } catch {
    signal.throwIfAborted();
    return null;
  }
  return hash.digest('hex');
}
