import { appendFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeUtf8 } from '../collectors/importers/input-file.js';
import { InputError, messageOf, SetupError } from '../core/index.js';
import type { Truth } from './bench-run.js';
import type { PredictedRun } from './prediction-schema.js';
import { asWritten, keyOf, type PredictionsHeader, parsePredictions, wholePart } from './predictions-file.js';

/** Fields that say what a prediction is worth; a file that holds some of one kind takes no others. */
const TELLING = ['auditor', 'protocol', 'toEnd', 'schedule', 'model', 'auditorDigest', 'datasets'] as const;

/**
 * A predictions file that grows by a line a run. A line is written at once and whole, so that a killed process leaves what
 * it was told; it is on disk a moment later, together with those that came meanwhile. After a crash the file goes on where
 * its last whole line ends. One process per file.
 */
export class PredictionsLog {
  readonly #file: FileHandle;
  readonly #name: string;
  readonly #earlier: ReadonlyMap<string, PredictedRun>;
  #syncing: Promise<void> | undefined;
  #isDirty = false;
  #fault: SetupError | undefined;

  private constructor(file: FileHandle, name: string, earlier: readonly PredictedRun[]) {
    this.#file = file;
    this.#name = name;
    this.#earlier = new Map(earlier.map((run) => [keyOf(run.truth), run]));
  }

  /**
   * @throws InputError for a file of another walk, or of another kind, which stays as it was
   * @throws SetupError for one that cannot be written
   */
  static async open(name: string, header: PredictionsHeader): Promise<PredictionsLog> {
    const { earlier, whole, isEnded } = await earlierIn(name, header);
    const file = await writable(name);
    const log = new PredictionsLog(file, name, earlier);
    await file.truncate(whole);
    if (whole === 0) log.#write(`${JSON.stringify(header)}\n`);
    if (!isEnded) log.#write('\n');
    return log;
  }

  /** What the file said of a run when it was opened. */
  earlier(truth: Truth): PredictedRun | undefined {
    return this.#earlier.get(keyOf(truth));
  }

  /** @throws SetupError when it cannot be written, or what came before did not come to the disk */
  append(run: PredictedRun): void {
    this.#write(`${JSON.stringify(asWritten(run))}\n`);
  }

  /** Resolves once all is on disk. @throws SetupError */
  async close(): Promise<void> {
    try {
      while (this.#syncing) await this.#syncing;
      if (this.#fault) throw this.#fault;
    } finally {
      await this.#file.close();
    }
  }

  #write(text: string): void {
    if (this.#fault) throw this.#fault;
    try {
      appendFileSync(this.#file.fd, text);
    } catch (cause) {
      throw unwritable(this.#name, cause);
    }
    this.#isDirty = true;
    this.#syncing ??= this.#sync();
  }

  async #sync(): Promise<void> {
    while (this.#isDirty && !this.#fault) {
      this.#isDirty = false;
      await this.#file.datasync().catch((cause: unknown) => {
        this.#fault = unwritable(this.#name, cause);
      });
    }
    this.#syncing = undefined;
  }
}

interface Earlier {
  readonly earlier: readonly PredictedRun[];
  /** Bytes of whole lines. */
  readonly whole: number;
  readonly isEnded: boolean;
}

const NOTHING: Earlier = { earlier: [], whole: 0, isEnded: true };

async function earlierIn(name: string, header: PredictionsHeader): Promise<Earlier> {
  if (!(await stat(name).catch(() => undefined))?.isFile()) return NOTHING;
  const bytes = await readFile(name).catch((cause: unknown) => {
    throw unwritable(name, cause);
  });
  const whole = wholePart(bytes);
  if (whole.length === 0 && beginsAsHeader(bytes)) return NOTHING;
  const found = parsePredictions(name, decodeUtf8(name, whole));
  refuseOther(name, found.header, header);
  return { earlier: found.predictions, whole: whole.length, isEnded: whole.at(-1) === LINE_END };
}

const LINE_END = 0x0a;
const HEADER_START = Buffer.from('{"type":"predictions"');

/** A file of which a crash has left but a part of the header, or nothing. */
function beginsAsHeader(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, HEADER_START.length);
  return bytes.subarray(0, length).equals(HEADER_START.subarray(0, length));
}

function refuseOther(file: string, found: PredictionsHeader, wanted: PredictionsHeader): void {
  const field = TELLING.find((one) => shown(found[one]) !== shown(wanted[one]));
  if (field === undefined) return;
  const what =
    field === 'auditorDigest'
      ? `holds predictions of ${found.auditor} as it was configured otherwise`
      : `holds predictions with ${field} ${shown(found[field])}, and these would be with ${shown(wanted[field])}`;
  throw new InputError({ file, line: 1, field }, what, 'Give each walk a file of its own');
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'none';
}

async function writable(name: string): Promise<FileHandle> {
  try {
    await mkdir(path.dirname(path.resolve(name)), { recursive: true });
    return await open(name, 'a');
  } catch (cause) {
    throw unwritable(name, cause);
  }
}

function unwritable(file: string, cause: unknown): SetupError {
  return new SetupError(
    'bench',
    `cannot write ${file} (${messageOf(cause)})`,
    'Make room there, or give another file, and walk on',
    { cause },
  );
}
