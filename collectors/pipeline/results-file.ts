import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Sample } from '../sample.js';
import type { StageResult } from '../stage.js';
import { ResultTally } from './result-counts.js';
import { wholeLines } from './whole-lines.js';

/** A whole file of results, as the manifest knows it. */
export interface FileAccount {
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Bytes that are written at once, and the longest wait of a result that comes alone, in milliseconds. */
const BLOCK_BYTES = 1 << 20;
const LONGEST_WAIT_MS = 250;

/** The results of a stage, a line each, while they are written. */
export class ResultsFile {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  readonly tally = new ResultTally();
  #block: Buffer[] = [];
  #blockBytes = 0;
  #writtenAt = performance.now();
  #lines = 0;
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async begin(path: string): Promise<ResultsFile> {
    await rm(path, { force: true });
    return new ResultsFile(await open(path, 'a'));
  }

  /** Goes on after the last whole result; what follows it is cut off. */
  static async resume(path: string): Promise<ResultsFile> {
    const results = new ResultsFile(await open(path, 'a'));
    for await (const line of wholeLines(path)) {
      const result = resultOn(line);
      if (!result) break;
      results.#account(result, line);
    }
    await results.#file.truncate(results.#bytes);
    return results;
  }

  get lines(): number {
    return this.#lines;
  }

  async add(result: StageResult, line: Buffer = Buffer.from(JSON.stringify(result))): Promise<void> {
    this.#account(result, line);
    this.#block.push(line, LINE_END);
    this.#blockBytes += line.length + 1;
    const isDue = performance.now() - this.#writtenAt > LONGEST_WAIT_MS;
    if (isDue || this.#blockBytes >= BLOCK_BYTES) await this.#write();
  }

  /** Closes the file as it is, to be taken up again. */
  async leave(): Promise<void> {
    try {
      await this.#write();
    } finally {
      await this.#file.close();
    }
  }

  /** Closes the file once it is on disk. */
  async finish(): Promise<FileAccount> {
    try {
      await this.#write();
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
    return { lines: this.#lines, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  #account(result: StageResult, line: Buffer): void {
    this.tally.add(result);
    this.#hash.update(line).update(LINE_END);
    this.#lines++;
    this.#bytes += line.length + 1;
  }

  async #write(): Promise<void> {
    const block = Buffer.concat(this.#block);
    this.#block = [];
    this.#blockBytes = 0;
    if (block.length > 0) await this.#file.appendFile(block);
    this.#writtenAt = performance.now();
  }
}

const LINE_END = Buffer.from('\n');

export interface WrittenResult {
  readonly result: StageResult;
  readonly line: Buffer;
}

/** The results of a finished stage. */
export async function* readResults(path: string): AsyncGenerator<WrittenResult> {
  for await (const line of wholeLines(path)) yield { result: JSON.parse(line.toString()), line };
}

/** The samples that a stage has handed on, in its order. */
export async function* samplesIn(path: string): AsyncGenerator<Sample> {
  for await (const { result } of readResults(path)) yield* result.samples;
}

/** Nothing for a line that a crash of the whole machine has left half written. */
function resultOn(line: Buffer): StageResult | undefined {
  try {
    const result = JSON.parse(line.toString()) as Partial<StageResult> | null;
    return Array.isArray(result?.samples) && Array.isArray(result.decisions)
      ? (result as StageResult)
      : undefined;
  } catch {
    return undefined;
  }
}
