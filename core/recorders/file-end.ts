import fs from 'node:fs';

const LINE_END = 0x0a;
const CHUNK_BYTES = 1 << 16;

/** The end of a file: its last line that holds anything, and whether a line end follows. */
export interface FileEnd {
  readonly line: Buffer;
  readonly ended: boolean;
}

/** Reads backwards, so that a log of many gigabytes opens as fast as a new one. */
export function readFileEnd(descriptor: number): FileEnd {
  const chunks: Buffer[] = [];
  let ended: boolean | undefined;
  for (let end = fs.fstatSync(descriptor).size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    let chunk = readFully(descriptor, start, end - start);
    end = start;
    ended ??= chunk.at(-1) === LINE_END;
    if (chunks.length === 0) chunk = withoutLineEnds(chunk);
    const lineEnd = chunk.lastIndexOf(LINE_END);
    if (chunk.length > 0) chunks.unshift(chunk.subarray(lineEnd + 1));
    if (lineEnd !== -1) break;
  }
  return { line: Buffer.concat(chunks), ended: ended ?? true };
}

function readFully(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const read = fs.readSync(descriptor, bytes, 0, length, position);
  return bytes.subarray(0, read);
}

function withoutLineEnds(bytes: Buffer): Buffer {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === LINE_END) length--;
  return bytes.subarray(0, length);
}
