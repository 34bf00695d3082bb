import { numbersIn } from './numbers.js';

/** A number or a fraction as written, and what it comes to. */
export interface Quantity {
  readonly raw: string;
  readonly index: number;
  readonly value: number;
  /** Half of the last digit written: any exact value this near may have been rounded to it. */
  readonly tolerance: number;
}

const FRACTION =
  /\\[dt]?frac\s?\{(\d{1,15})\}\s?\{(\d{1,15})\}|(?<![\w./])(\d{1,15})\s?\/\s?(\d{1,15})(?!\w|[./]\d|\/)/g;

/** Every number of a text and the value of every fraction (`14/3`, `\frac{14}{3}`), a fraction's parts included. */
export function quantitiesIn(text: string): readonly Quantity[] {
  return [...plain(text), ...fractions(text)];
}

/** The quantity that a text ends on: a fraction as one, not its denominator. */
export function lastQuantity(text: string): Quantity | undefined {
  const number = [...plain(text)].at(-1);
  const fraction = [...fractions(text)].at(-1);
  if (!number || !fraction) return number ?? fraction;
  return fraction.index + fraction.raw.length >= number.index + number.raw.length ? fraction : number;
}

/** Whether a quantity is one of the given ones: itself, rounded to the digits written, or as a percentage. */
export function isAmong({ value, tolerance }: Quantity, given: readonly Quantity[]): boolean {
  // The bound is widened by what a double cannot hold: 0.125 written as 0.13 is exactly half a digit off.
  const bound = tolerance * (1 + 1e-9);
  return given.some(
    (each) => Math.abs(each.value - value) <= bound || Math.abs(each.value * 100 - value) <= bound,
  );
}

function* plain(text: string): Generator<Quantity> {
  for (const { raw, key, index } of numbersIn(text)) {
    const decimals = key.split('.')[1]?.length ?? 0;
    yield { raw, index, value: Number(key), tolerance: 0.5 * 10 ** -decimals };
  }
}

function* fractions(text: string): Generator<Quantity> {
  for (const match of text.matchAll(FRACTION)) {
    const value = Number(match[1] ?? match[3]) / Number(match[2] ?? match[4]);
    yield { raw: match[0], index: match.index, value, tolerance: 1e-9 };
  }
}
