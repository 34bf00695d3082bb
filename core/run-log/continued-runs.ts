import { stat } from 'node:fs/promises';
import { readLines } from './read-lines.js';

const CONTINUES = Buffer.from('"continues":');

/**
 * Ids of the runs that others of the log take up, from a quick look at its bytes: the turns of no other run need be kept.
 * Undefined for what cannot be read twice, such as a pipe.
 * @param longestLine in bytes; no longer one is read
 */
export async function continuedRuns(
  file: string,
  longestLine: number,
): Promise<ReadonlySet<string> | undefined> {
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) return undefined;
  const ids = new Set<string>();
  for await (const { bytes } of readLines(file, longestLine)) {
    if (!bytes.includes(CONTINUES)) continue;
    const id = continuedBy(bytes);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

function continuedBy(line: Buffer): string | undefined {
  try {
    const record = JSON.parse(line.toString()) as { continues?: unknown } | null;
    return typeof record?.continues === 'string' ? record.continues : undefined;
  } catch {
    return undefined; // The reader proper says what is wrong with it.
  }
}
