import { createReadStream } from 'node:fs';

const LINE_END = 0x0a;
const CHUNK_BYTES = 1 << 20;

/**
 * The lines of a file that end, without their ends; what a crash has torn is none. Only line feeds end a line: Node's
 * readline also breaks at U+2028, which JSON leaves as it is.
 */
export async function* wholeLines(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      const part = chunk.subarray(start, end);
      yield parts.length === 0 ? part : Buffer.concat([...parts, part]);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
}
