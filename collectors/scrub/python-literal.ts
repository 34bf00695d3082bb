import type { JsonValue } from '../../core/index.js';

/** Deeper than any call: a hostile text must not overflow the stack. */
const DEEPEST = 64;

/**
 * The value of a Python literal as `repr` prints it, undefined for anything else: `[{'name': 'run_tests', 'ok': True}]`.
 * Strings, numbers, `True`, `False`, `None`, lists, tuples, and dicts with string keys.
 */
export function parsePythonLiteral(text: string): JsonValue | undefined {
  try {
    const reader = new LiteralReader(text);
    const value = reader.value(0);
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

const WORDS: Readonly<Record<string, JsonValue>> = { True: true, False: false, None: null };
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
};

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#match(/\s*/y) !== undefined && this.#at === this.#text.length;
  }

  value(depth: number): JsonValue {
    if (depth > DEEPEST) throw new NoLiteral();
    this.#match(/\s*/y);
    if (this.#match(/[[(]/y)) return this.#items(/\s*[\])]/y, () => this.value(depth + 1));
    if (this.#match(/\{/y)) {
      return Object.fromEntries(this.#items(/\s*\}/y, () => this.#entry(depth + 1)));
    }
    const quote = this.#match(/['"]/y);
    if (quote) return this.#string(quote);
    const number = this.#match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy);
    if (number) return Number(number);
    const word = this.#match(/True|False|None/y);
    if (word) return WORDS[word] as JsonValue;
    throw new NoLiteral();
  }

  #items<Item>(close: RegExp, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.#match(close)) {
      if (items.length > 0 && !this.#match(/\s*,/y)) throw new NoLiteral();
      if (items.length > 0 && this.#match(close)) break;
      items.push(item());
    }
    return items;
  }

  #entry(depth: number): [string, JsonValue] {
    this.#match(/\s*/y);
    const quote = this.#match(/['"]/y);
    if (!quote) throw new NoLiteral();
    const key = this.#string(quote);
    if (!this.#match(/\s*:/y)) throw new NoLiteral();
    return [key, this.value(depth)];
  }

  #string(quote: string): string {
    const body = this.#match(quote === "'" ? /(?:[^'\\\n]|\\[\s\S])*/y : /(?:[^"\\\n]|\\[\s\S])*/y) ?? '';
    if (this.#match(/['"]/y) !== quote) throw new NoLiteral();
    return body.replace(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([\s\S]))/gi,
      (whole, x, u, long, one) => {
        const code = Number.parseInt(x ?? u ?? long ?? '', 16);
        if (one === undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
        if (one === '\n') return '';
        return ESCAPES[one] ?? (/[\\'"]/.test(one) ? one : whole);
      },
    );
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
