import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../diagnostics.js';
import { SetupError } from '../errors.js';
import { type AuditRecord, RECORD_VERSION } from '../record.js';
import type { Recorder } from '../recorder.js';
import { AppendQueue, type Queued } from './append-queue.js';
import { readFileEnd } from './file-end.js';

const write = promisify(fs.write);
const syncToDisk = promisify(fs.fdatasync);

/** Larger batches are cut, so that one write stays far below what the kernel takes in one piece (2 GiB). */
const MAX_BATCH_BYTES = 16 * 2 ** 20;

interface Entry extends Queued {
  readonly line: Buffer;
}

/** A recorder that holds a file open. Closing waits for what was appended before. */
export interface JsonlRecorder extends Recorder {
  close(): Promise<void>;
}

/**
 * Appends one JSON line per record to `file`, made with its folders if need be, and acknowledges a record once it is on
 * disk. Records that arrive while a sync is under way share the next one, so a thousand concurrent runs cost about as
 * many syncs as one.
 *
 * The file is never rewritten. A line torn by a crash stays where it is, and the next process to open the file marks
 * it. One process per file: writers in other processes belong in files of their own.
 * @throws SetupError when the file cannot be opened for appending
 */
export function jsonlRecorder(file: string): JsonlRecorder {
  const { descriptor, torn } = openLog(file);
  return new LogFile(descriptor, torn);
}

class LogFile implements JsonlRecorder {
  readonly #descriptor: number;
  readonly #queue = new AppendQueue<Entry>('disk', MAX_BATCH_BYTES, (batch) => this.#writeBatch(batch));
  #torn: boolean;
  #closing: Promise<void> | undefined;

  constructor(descriptor: number, torn: boolean) {
    this.#descriptor = descriptor;
    this.#torn = torn;
  }

  append(record: AuditRecord): Promise<void> {
    return new Promise((acknowledge, drop) => {
      if (this.#closing) throw new Error('the log file is closed');
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      this.#queue.add({ line, bytes: line.length, acknowledge, drop });
    });
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#queue.settled();
      fs.closeSync(this.#descriptor);
    })();
    return this.#closing;
  }

  async #writeBatch(batch: readonly Entry[]): Promise<void> {
    const lines = batch.map((entry) => entry.line);
    try {
      await this.#writeAll(Buffer.concat(this.#torn ? [recoveryMark(), ...lines] : lines));
      this.#torn = false;
      await syncToDisk(this.#descriptor);
      for (const entry of batch) entry.acknowledge();
    } catch (cause) {
      // Part of a line may be on disk; the next batch must not continue it.
      this.#torn = true;
      for (const entry of batch) entry.drop(cause);
    }
  }

  async #writeAll(bytes: Buffer): Promise<void> {
    for (let offset = 0; offset < bytes.length; ) {
      const { bytesWritten } = await write(this.#descriptor, bytes, offset, bytes.length - offset, null);
      offset += bytesWritten;
    }
  }
}

/** Ends the torn line and says that it was one; see {@link recoveryRecordSchema}. */
function recoveryMark(): Buffer {
  return Buffer.from(
    `\n${JSON.stringify({ type: 'recovery', v: RECORD_VERSION, at: Date.now() } satisfies AuditRecord)}\n`,
  );
}

function openLog(file: string): { descriptor: number; torn: boolean } {
  let descriptor: number;
  try {
    const folder = path.dirname(path.resolve(file));
    fs.mkdirSync(folder, { recursive: true });
    descriptor = fs.openSync(file, 'a+', 0o600);
    syncFolder(folder);
  } catch (cause) {
    throw new SetupError(
      'jsonl',
      `cannot append to ${file} (${messageOf(cause)})`,
      'Give a file that may be written',
      {
        cause,
      },
    );
  }
  if (beginsAsLog(descriptor)) return { descriptor, torn: endsTorn(descriptor) };
  fs.closeSync(descriptor);
  throw new SetupError('jsonl', `${file} exists and is no run log`, 'Give another path');
}

/** How every line of a log begins; the first may be torn after any of its bytes. */
const RECORD_START = Buffer.from('{"v":');

/** Appending to a file of another kind would spoil it. */
function beginsAsLog(descriptor: number): boolean {
  if (!fs.fstatSync(descriptor).isFile()) return true;
  const start = Buffer.alloc(RECORD_START.length);
  const length = fs.readSync(descriptor, start, 0, start.length, 0);
  return start.subarray(0, length).equals(RECORD_START.subarray(0, length));
}

/** A new file is safe from a power cut only once its folder's entry is. Windows cannot sync a folder and need not. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Whether a crash cut the last line short. A line end alone proves nothing, since the crash may have struck within a
 * recovery mark, which begins with one; but no JSON object is complete before its last byte.
 */
function endsTorn(descriptor: number): boolean {
  const { line, ended } = readFileEnd(descriptor);
  if (!ended) return true;
  if (line.length === 0) return false;
  try {
    JSON.parse(line.toString());
    return false;
  } catch {
    return true;
  }
}
