import { createRequire } from 'node:module';
import { SetupError } from '../../errors.js';

/** Counts the tokens of a text as the audited model's tokenizer does. Text that spells a control token is mere text. */
export type CountTokens = (text: string) => number;

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

/** Takes 300 ms and some 50 MB, so it is loaded by the first layout that needs it, and once. */
let encoding: Encoding | undefined;

function loadTokenizer(): Encoding {
  encoding ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as Encoding;
  return encoding;
}

/** Without it the tokenizer throws at `<|endoftext|>` in an agent's text. */
const ALL_TEXT_IS_PLAIN = { disallowedSpecial: new Set<string>() };

/**
 * Byte-pair merging takes time quadratic in the length of an unbroken run: 16,000 Chinese characters without a stop take
 * seconds. Runs are therefore cut into stretches of this many characters, which costs at most a token for each.
 */
const STRETCH = 128;
const LONG_RUN = new RegExp(
  `[\\p{L}\\p{M}]{${STRETCH},}|[^\\s\\p{L}\\p{N}]{${STRETCH},}|\\s{${STRETCH},}`,
  'gu',
);
const STRETCHES = new RegExp(`[^]{1,${STRETCH}}`, 'gu');

/** Tokens of `o200k_base`, the encoding of GPT-4o and later. Other models' counts differ by some tenths. */
export const countTokens: CountTokens = (text) => {
  const { countTokens } = loadTokenizer();
  let tokens = 0;
  for (const part of parts(text)) tokens += countTokens(part, ALL_TEXT_IS_PLAIN);
  return tokens;
};

/** A layout's tokenizer, tried once so that it is loaded before the first audit; estimates are rounded up. @throws SetupError */
export function wholeCount(count: CountTokens, layout: string): CountTokens {
  const tokens: unknown = typeof count === 'function' ? count('one two') : undefined;
  if (count === countTokens) return count;
  if (typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0)
    return (text) => Math.ceil(count(text));
  throw new SetupError(
    layout,
    'countTokens is no function from a text to a number above 0',
    'Mend it, or leave it out',
  );
}

/** The tokens that {@link countTokens} counts. */
export function encodeTokens(text: string): number[] {
  const { encode } = loadTokenizer();
  return [...parts(text)].flatMap((part) => encode(part, ALL_TEXT_IS_PLAIN));
}

function* parts(text: string): Generator<string> {
  let end = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    if (index > end) yield text.slice(end, index);
    for (const [stretch] of run.matchAll(STRETCHES)) yield stretch;
    end = index + run.length;
  }
  if (end < text.length) yield text.slice(end);
}
