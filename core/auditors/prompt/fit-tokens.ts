import { type CountTokens, countTokens } from './count-tokens.js';

/** Where something is left out. It is a mark for the reader; the line's `leftOut` is the proof, which no agent can write. */
export const GAP = ' […] ';

/** Stands for the count of left-out tokens until it is known: none has more digits. */
export const MOST_TOKENS = 999_999_999;

/** Characters. Above it a text's tokens are estimated from samples: a dump of megabytes must not hold up the host. */
const LONGEST_COUNTED = 256_000;
const SAMPLES = 16;
const SAMPLE_LENGTH = 4_000;

/** Above it nothing is tried: only white space and rulers pack more into a token. */
const MOST_CHARACTERS_PER_TOKEN = 16;

/** Head and tail of a text that is longer than `characters`; two thirds go to the head. */
export function clipped(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const tail = Math.floor(characters / 3);
  return `${wholeCharacters(text.slice(0, characters - tail))}${GAP}${tail === 0 ? '' : wholeCharacters(text.slice(-tail))}`;
}

/** A cut may have gone through a pair of surrogates. */
function wholeCharacters(cut: string): string {
  return cut.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
}

/** The tokens of a text; of a very long one, about. */
export function tokensOf(text: string, count: CountTokens): number {
  if (text.length <= LONGEST_COUNTED) return count(text);
  const stride = Math.floor((text.length - SAMPLE_LENGTH) / (SAMPLES - 1));
  let tokens = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    tokens += count(text.slice(sample * stride, sample * stride + SAMPLE_LENGTH));
  }
  return Math.round((tokens * text.length) / (SAMPLES * SAMPLE_LENGTH));
}

/** At least the tokens of a text. None of ours is shorter than a byte; of another tokenizer nothing is known without counting. */
export function mostTokens(text: string, count: CountTokens): number {
  return count === countTokens ? Buffer.byteLength(text) : tokensOf(text, count);
}

/**
 * The most characters that each text may keep for `render` to stay within `limit` tokens, found by halving. A rendering
 * grows with its characters, and at 0 it must fit.
 */
export function mostCharacters(
  render: (characters: number) => string,
  limit: number,
  count: CountTokens,
): number {
  let low = 0;
  let high = limit * MOST_CHARACTERS_PER_TOKEN;
  while (high - low > 8) {
    const middle = (low + high) >> 1;
    const text = render(middle);
    if (text.length <= limit * MOST_CHARACTERS_PER_TOKEN && count(text) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
