import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Place {
  readonly offset: number;
  readonly length: number;
}

/**
 * Texts by key in a file of JSON lines, `["key","text"]`, which only ever grows. Keys and places are in memory, the texts
 * are not. The first text of a key stays. One process per file.
 */
export class ReplyCache {
  readonly #file: FileHandle;
  readonly #places: Map<string, Place>;
  #end: number;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(file: FileHandle, places: Map<string, Place>, end: number) {
    this.#file = file;
    this.#places = places;
    this.#end = end;
  }

  /** Takes up a file that is there. A last line that a crash has torn is cut off, and one that cannot be read passed over. */
  static async open(path: string): Promise<ReplyCache> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a+', 0o600);
    const places = new Map<string, Place>();
    let end = 0;
    for await (const line of wholeLines(path)) {
      const entry = readEntry(line);
      if (entry && !places.has(entry[0])) places.set(entry[0], { offset: end, length: line.length });
      end += line.length + 1;
    }
    await file.truncate(end);
    return new ReplyCache(file, places, end);
  }

  get size(): number {
    return this.#places.size;
  }

  async get(key: string): Promise<string | undefined> {
    await this.#writing;
    const place = this.#places.get(key);
    if (!place) return undefined;
    const bytes = Buffer.alloc(place.length);
    await this.#file.read(bytes, 0, place.length, place.offset);
    return readEntry(bytes)?.[1];
  }

  /** @returns the text that is kept: another one, where somebody was quicker */
  async add(key: string, text: string): Promise<string> {
    if (!this.#places.has(key)) {
      const line = Buffer.from(`${JSON.stringify([key, text])}\n`);
      this.#places.set(key, { offset: this.#end, length: line.length - 1 });
      this.#end += line.length;
      this.#writing = this.#writing.then(() => this.#file.appendFile(line));
    }
    return (await this.get(key)) ?? text;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }
}

const NEWLINE = 0x0a;

async function* wholeLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}

function readEntry(line: Buffer): readonly [key: string, text: string] | undefined {
  try {
    const entry: unknown = JSON.parse(line.toString());
    if (!Array.isArray(entry)) return undefined;
    const [key, text] = entry;
    return typeof key === 'string' && typeof text === 'string' ? [key, text] : undefined;
  } catch {
    return undefined;
  }
}
