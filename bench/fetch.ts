import { mkdir } from 'node:fs/promises';
import { download } from './fetch/download.js';
import { placeIn } from './fetch/place-in.js';
import type { PublicDataset, PublicFile } from './fetch/public-datasets.js';
import { requireSafe } from './fetch/request.js';

export interface FetchOptions {
  /** Made where it is missing. Nothing is written outside of it. */
  readonly out: string;
  /** A mirror: `<from>/<path>` has what is to be at `<out>/<path>`. Default: where the authors publish it. */
  readonly from?: string | undefined;
  /** Told of bytes on disk, of so many in all; less than before where a file begins anew. */
  readonly onBytes?: ((done: number, total: number) => void) | undefined;
  readonly signal: AbortSignal;
}

export interface Fetched {
  readonly name: string;
  readonly files: number;
  /** Of the files, those that were there already, whole. */
  readonly there: number;
  readonly bytes: number;
}

/** Downloads at once: one server's patience, and the round trips of 185 small files. */
const SIDE_BY_SIDE = 4;

/**
 * Puts datasets where the bench reads them. What is there whole is left alone, and what was broken off is gone on from.
 * @throws InputError at the first file that cannot be had, or that another one has the place of; the signal's reason
 */
export async function fetchDatasets(
  datasets: readonly PublicDataset[],
  options: FetchOptions,
): Promise<readonly Fetched[]> {
  const { out, from, onBytes } = options;
  const base = from === undefined ? undefined : requireSafe(from.endsWith('/') ? from : `${from}/`);
  const files = datasets.flatMap((dataset) => dataset.files.map((file) => ({ dataset, file })));
  const total = files.reduce((sum, { file }) => sum + file.bytes, 0);
  const stopped = new AbortController();
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  const there = new Map<PublicDataset, number>();
  let done = 0;
  await mkdir(out, { recursive: true });
  const waiting = files.values();
  const workers = Array.from({ length: SIDE_BY_SIDE }, async () => {
    for (const { dataset, file } of waiting) {
      signal.throwIfAborted();
      const how = await download(file, await placeIn(out, file.path), {
        url: base && mirrored(file, base),
        signal,
        onBytes: (change) => {
          done += change;
          onBytes?.(done, total);
        },
      });
      if (how === 'there') there.set(dataset, (there.get(dataset) ?? 0) + 1);
    }
  });
  try {
    await Promise.all(workers);
  } catch (error) {
    stopped.abort(error);
    await Promise.allSettled(workers);
    throw error;
  }
  return datasets.map((dataset) => ({
    name: dataset.name,
    files: dataset.files.length,
    there: there.get(dataset) ?? 0,
    bytes: dataset.files.reduce((sum, { bytes }) => sum + bytes, 0),
  }));
}

function mirrored({ path }: PublicFile, base: URL): string {
  return new URL(path, base).href;
}
