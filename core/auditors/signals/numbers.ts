/** A number as written, and what it comes to. */
export interface WrittenNumber {
  /** Canonical decimal text: no grouping, no leading or trailing zeros, so that `1,440.0` and `1440` are one key. */
  readonly key: string;
  readonly raw: string;
  readonly index: number;
}

const NUMBER = /(?<![\w.])(?:\d{1,3}(?:,\d{3}){1,8}(?![\d,])|\d+)(?:\.\d+)?(?!\w)/g;

/** Numbers in order of appearance, unsigned: a minus sign is too often a hyphen. Digits inside a word (`x2`) are none. */
export function* numbersIn(text: string): Generator<WrittenNumber> {
  for (const match of text.matchAll(NUMBER)) {
    yield { key: canonical(match[0]), raw: match[0], index: match.index };
  }
}

/** Longer ones are no quantities but data; as they stand they are their own key. */
const MAX_DIGITS = 60;

function canonical(raw: string): string {
  if (raw.length > MAX_DIGITS) return raw;
  const [whole = '', fraction = ''] = raw.replaceAll(',', '').split('.');
  const head = whole.replace(/^0+(?=\d)/, '');
  const tail = fraction.replace(/0+$/, '');
  return tail === '' ? head : `${head}.${tail}`;
}
