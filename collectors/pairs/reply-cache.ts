import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Place {
  readonly offset: number;
  readonly length: number;
}

interface Kept {
  readonly places: Map<string, Place>;
  /** Bytes of the file. */
  end: number;
}

/**
 * Texts by key in a file of JSON lines, `["key","text"]`, which only ever grows. Keys and places are in memory, the texts are
 * not: a corpus has many, and long ones. The first text of a key stays. The file is read, or made, when it is first needed;
 * a last line that a crash has torn is cut off then, and one that cannot be read passed over. One process per file.
 */
export class ReplyCache {
  readonly #path: string;
  #kept: Promise<Kept> | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async get(key: string): Promise<string | undefined> {
    const { places } = await this.#loaded();
    await this.#writing;
    const place = places.get(key);
    if (!place) return undefined;
    await using file = await open(this.#path);
    const bytes = Buffer.alloc(place.length);
    await file.read(bytes, 0, place.length, place.offset);
    return readEntry(bytes)?.[1];
  }

  /** @returns the text that is kept: another one, where somebody was quicker */
  async add(key: string, text: string): Promise<string> {
    const kept = await this.#loaded();
    if (!kept.places.has(key)) {
      const line = Buffer.from(`${JSON.stringify([key, text])}\n`);
      kept.places.set(key, { offset: kept.end, length: line.length - 1 });
      kept.end += line.length;
      this.#writing = this.#writing.then(() => appendFile(this.#path, line));
    }
    return (await this.get(key)) ?? text;
  }

  #loaded(): Promise<Kept> {
    this.#kept ??= load(this.#path);
    return this.#kept;
  }
}

async function load(path: string): Promise<Kept> {
  await mkdir(dirname(path), { recursive: true });
  await using file = await open(path, 'a+', 0o600);
  const places = new Map<string, Place>();
  let end = 0;
  for await (const line of wholeLines(path)) {
    const entry = readEntry(line);
    if (entry && !places.has(entry[0])) places.set(entry[0], { offset: end, length: line.length });
    end += line.length + 1;
  }
  await file.truncate(end);
  return { places, end };
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
