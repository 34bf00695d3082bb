import type { SampleTurn } from '../sample.js';

/** Of each text of a turn, at either end: as much as a leak needs, and little of a dumped web page. */
const READ_AT_EACH_END = 2_000;

const BUCKETS = 2 ** 18;

/**
 * The single tokens and pairs of tokens of turns, as hashes. Words are folded to lower case and numbers to `#`; any other
 * character is a token of its own, and so is white space, but for a single blank between two words: `{"a": 1}` and
 * `{"a":1}` differ.
 */
export class TurnNgrams {
  /** What stands in each bucket: the first that fell into it, for two may share one. */
  readonly #texts = new Map<number, string>();

  /** Buckets of one turn, each once. */
  bucketsOf({ thought = '', content, toolCalls = [], action }: SampleTurn): Int32Array {
    const calls =
      action ?? toolCalls.map(({ id, name, args }) => `${id} ${name} ${JSON.stringify(args)}`).join('\n');
    const buckets = new Set<number>();
    for (const text of [thought, content, calls]) this.#add(text, buckets);
    return Int32Array.from(buckets);
  }

  textOf(bucket: number): string {
    return this.#texts.get(bucket) ?? '';
  }

  #add(text: string, buckets: Set<number>): void {
    let previous: string | undefined;
    for (const token of tokensOf(endsOf(text))) {
      buckets.add(this.#bucket(token));
      if (previous !== undefined) buckets.add(this.#bucket(`${previous} ${token}`));
      previous = token;
    }
  }

  #bucket(ngram: string): number {
    const bucket = fnv1a(ngram) % BUCKETS;
    if (!this.#texts.has(bucket)) this.#texts.set(bucket, ngram);
    return bucket;
  }
}

const TOKEN = /[\p{L}_]{1,40}|\p{N}+|(?<![\p{L}_])\s+|\s+(?![\p{L}_])|\s{2,}|[^\p{L}\p{N}_\s]/gu;

function* tokensOf(text: string): Generator<string> {
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^\s/.test(token)) yield JSON.stringify(token.slice(0, 4));
    else yield /^\p{N}/u.test(token) ? '#' : token.toLowerCase();
  }
}

function endsOf(text: string): string {
  if (text.length <= 2 * READ_AT_EACH_END) return text;
  return `${text.slice(0, READ_AT_EACH_END)}\n${text.slice(-READ_AT_EACH_END)}`;
}

/** Fowler, Noll and Vo's hash of UTF-16 units, 32 bits. */
function fnv1a(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state >>> 0;
}
