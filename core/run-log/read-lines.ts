import fs from 'node:fs';
import { messageOf } from '../diagnostics.js';
import { InputError } from '../errors.js';

export interface RawLine {
  /** 1-based. */
  readonly number: number;
  /** Without the line end; empty when the line is too long. */
  readonly bytes: Buffer;
  /** False for a last line without its line end. */
  readonly ended: boolean;
  readonly tooLong: boolean;
}

/** The lines of a log that is kept elsewhere than in a file. */
export interface LogLines {
  /** As messages have it, without what is secret. */
  readonly name: string;
  /** From the first, as often as asked. A line of more than `maxBytes` is passed over and said to be too long. */
  lines(maxBytes: number): AsyncIterable<RawLine>;
}

/** The path of a log's file, or its lines. */
export type RunLog = string | LogLines;

export function nameOf(log: RunLog): string {
  return typeof log === 'string' ? log : log.name;
}

const LINE_END = 0x0a;

/**
 * The lines of a log; of a file, in memory for one line of at most `maxBytes`; a longer one is passed over and said to be.
 * @throws InputError for a file that cannot be read
 */
export async function* readLines(log: RunLog, maxBytes: number): AsyncGenerator<RawLine> {
  if (typeof log === 'string') yield* linesOfFile(log, maxBytes);
  else yield* log.lines(maxBytes);
}

async function* linesOfFile(file: string, maxBytes: number): AsyncGenerator<RawLine> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const line = (ended: boolean): RawLine => {
    const tooLong = length > maxBytes;
    return { number: number++, bytes: Buffer.concat(tooLong ? [] : parts), ended, tooLong };
  };
  const take = (part: Buffer) => {
    length += part.length;
    if (length > maxBytes) parts = [];
    else parts.push(part);
  };
  for await (const chunk of readChunks(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      take(chunk.subarray(start, end));
      yield line(true);
      parts = [];
      length = 0;
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (length > 0) yield line(false);
}

async function* readChunks(file: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> = fs.createReadStream(file, { highWaterMark: 1 << 18 });
  try {
    yield* stream;
  } catch (cause) {
    throw new InputError(
      { file },
      `cannot be read: ${messageOf(cause)}`,
      'Check the path and its permissions',
      {
        cause,
      },
    );
  }
}
