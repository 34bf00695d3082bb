import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { type JsonValue, type PostgresRunLog, postgresRunLog } from '../../../core/index.js';
import { runFiles } from '../../importers/run-files.js';

export interface InputFile {
  readonly path: string;
  /** As it is named in what is made of it, without the folders above what was given: `"logs/2026/monday.jsonl"`. */
  readonly source: string;
  /** Where a database stands in a file's stead; then `path` is its name, as messages have it. */
  readonly log?: PostgresRunLog | undefined;
}

/** The files that hold runs, and databases that recorders write, in order. @throws InputError for a folder without any */
export async function inputFiles(paths: readonly string[]): Promise<readonly InputFile[]> {
  const found = await Promise.all(
    paths.map(async (given) =>
      isPostgres(given)
        ? [logIn(given)]
        : (await runFiles([given])).map((file) => ({ path: file, source: sourceOf(given, file) })),
    ),
  );
  return found.flat();
}

/** Name and content of each. What cannot be read has none: reading it will say why. */
export async function fingerprintOf(files: readonly InputFile[], signal: AbortSignal): Promise<JsonValue> {
  const prints: JsonValue[] = [];
  for (const { source, path: file, log } of files)
    prints.push([source, await (log ? log.fingerprint() : contentOf(file, signal))]);
  return prints;
}

function isPostgres(given: string): boolean {
  return /^postgres(ql)?:\/\//.test(given);
}

function logIn(connectionString: string): InputFile {
  const log = postgresRunLog({ connectionString });
  return { path: log.name, source: new URL(log.name).pathname.slice(1), log };
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
