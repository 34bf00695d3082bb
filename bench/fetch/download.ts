import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { InputError } from '../../core/index.js';
import type { PublicFile } from './public-datasets.js';
import { type Answer, RequestFault, request } from './request.js';

/** A download that keeps breaking off goes on from where it was, so often in vain before it is given up. */
const TRIES = 4;
/** Milliseconds; doubles with each try. */
const FIRST_PAUSE = 250;
/** A link in a partial file's place is not written through. */
const APPENDED = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

export interface DownloadOptions {
  /** Where it lies in place of its own address. */
  readonly url?: string | undefined;
  /** Told of bytes on disk: what was there before, and each piece that came; less than before where all begins anew. */
  readonly onBytes?: ((change: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Puts a file at a place, whole or not at all: it gets its name once its checksum is right. What came of one that was broken
 * off stays beside the place as `.partial`, and is gone on from.
 * @returns whether anything had to be downloaded
 * @throws InputError where another file has that place, nothing can be had, or what came is another file; the signal's reason
 */
export async function download(
  file: PublicFile,
  place: string,
  options: DownloadOptions,
): Promise<'downloaded' | 'there'> {
  const { onBytes } = options;
  if (await isThere(place)) {
    if ((await sha256Of(place)) === file.sha256) {
      onBytes?.(file.bytes);
      return 'there';
    }
    throw new InputError(
      { file: place },
      'is another file than the one to be fetched, and stays as it is',
      'Move it away, or give --out another folder',
    );
  }
  const partial = `${place}.partial`;
  const handle = await open(partial, APPENDED);
  try {
    await fill(handle, file, place, options);
    await handle.sync();
  } finally {
    const { size } = await handle.stat();
    await handle.close();
    if (size === 0) await rm(partial, { force: true });
  }
  await requireChecksum(partial, file, options.url ?? file.url, place);
  await rename(partial, place);
  return 'downloaded';
}

/** Appends until all bytes are there. */
async function fill(handle: FileHandle, file: PublicFile, place: string, options: DownloadOptions) {
  const { url = file.url, onBytes, signal } = options;
  let have = (await handle.stat()).size;
  if (have > file.bytes) have = await empty(handle);
  onBytes?.(have);
  for (let tried = 1; have < file.bytes; tried++) {
    try {
      await receive();
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      if (!error.isPassing || tried === TRIES) throw notHad(error, url, place);
      await pause(FIRST_PAUSE * 2 ** (tried - 1), undefined, { signal });
    }
  }

  async function receive() {
    const answer = await request(url, have, signal);
    try {
      const start = startOf(answer);
      if (start !== have) {
        onBytes?.(-have);
        have = await empty(handle);
      }
      if (start !== have) throw new RequestFault('the server sends another part than was asked for', true);
      for await (const chunk of answer.chunks) {
        if (have + chunk.length > file.bytes) throw tooLong(file, url, place);
        await handle.appendFile(chunk);
        have += chunk.length;
        onBytes?.(chunk.length);
      }
    } finally {
      await answer.close();
    }
    if (have < file.bytes) throw new RequestFault(`broken off after ${have} of ${file.bytes} bytes`, true);
  }
}

/**
 * Where the bytes that come begin: a server that knows no ranges sends all of them.
 * @returns undefined where it has no such part, as of a file that has become shorter
 * @throws RequestFault for an answer without the file
 */
function startOf({ status, headers }: Answer): number | undefined {
  if (status === 200) return 0;
  if (status === 416) return undefined;
  if (status !== 206) throw new RequestFault(`the server answers ${status}`, status >= 500 || status === 429);
  const [, start] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? [];
  return start === undefined ? undefined : Number(start);
}

async function empty(handle: FileHandle): Promise<0> {
  await handle.truncate(0);
  return 0;
}

async function requireChecksum(partial: string, file: PublicFile, url: string, place: string) {
  const found = await sha256Of(partial);
  if (found === file.sha256) return;
  await rm(partial);
  throw new InputError(
    { file: url },
    `is another file than the one that is known: SHA-256 ${found}, not ${file.sha256}; nothing was kept`,
    `Was it changed by its authors, put it at ${place} by hand: whatever lies there is read`,
  );
}

function tooLong({ bytes }: PublicFile, url: string, place: string): InputError {
  return new InputError(
    { file: url },
    `sends more than the ${bytes} bytes of the file that is known`,
    `Was it changed by its authors, put it at ${place} by hand: whatever lies there is read`,
  );
}

function notHad({ message }: RequestFault, url: string, place: string): InputError {
  return new InputError(
    { file: url },
    `cannot be had (${message})`,
    `Run this again where there is a network, which goes on from what came; name a mirror with --from; or put it at ${place} by hand`,
  );
}

async function isThere(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    () => false,
  );
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
