import { stat } from 'node:fs/promises';
import { type RunLog, readLines } from './read-lines.js';

const CONTINUES = Buffer.from('"continues":');

/** Which runs of a log take up which others. */
export class Continuations {
  readonly #earlier = new Map<string, string>();
  readonly #latest = new Map<string, string>();

  add(runId: string, continues: string): void {
    this.#earlier.set(runId, continues);
    this.#latest.set(continues, runId);
  }

  isContinued(runId: string): boolean {
    return this.#latest.has(runId);
  }

  /**
   * The run that has turns of this one, and comes after it: it takes this one up, or one that this one takes up itself.
   * Of all runs that have a turn in common, one alone is superseded by none: the last.
   */
  supersededBy(runId: string): string | undefined {
    const seen = new Set<string>();
    let later = this.#latest.get(runId);
    for (let at = runId; later === undefined && !seen.has(at); ) {
      seen.add(at);
      const earlier = this.#earlier.get(at);
      if (earlier === undefined) return undefined;
      const latest = this.#latest.get(earlier);
      if (latest !== at) later = latest;
      at = earlier;
    }
    return later;
  }
}

/**
 * From a quick look at a log's bytes, so that the turns of no other run need be kept. Undefined for what cannot be read
 * twice, such as a pipe.
 * @param longestLine in bytes; no longer one is read
 */
export async function readContinuations(
  log: RunLog,
  longestLine: number,
): Promise<Continuations | undefined> {
  if (typeof log === 'string' && !(await isFile(log))) return undefined;
  const continuations = new Continuations();
  for await (const { bytes } of readLines(log, longestLine)) {
    if (!bytes.includes(CONTINUES)) continue;
    const record = parsed(bytes);
    if (typeof record?.continues === 'string' && typeof record.runId === 'string')
      continuations.add(record.runId, record.continues);
  }
  return continuations;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function parsed(line: Buffer): { readonly runId?: unknown; readonly continues?: unknown } | null {
  try {
    return JSON.parse(line.toString());
  } catch {
    return null; // The reader proper says what is wrong with it.
  }
}
