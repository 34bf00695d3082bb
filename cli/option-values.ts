import { InvalidArgumentError } from 'commander';

/** What options take, read from their text; commander tells what is wrong beside the option's name. */
export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < 2 ** 20)) throw new InvalidArgumentError('Give a number above 0.');
  return number;
}

export function wholeNumber(text: string): number {
  const number = positiveNumber(text);
  if (!Number.isInteger(number)) throw new InvalidArgumentError('Give a whole number above 0.');
  return number;
}

export function seedNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('Give a whole number.');
  return number;
}

export function share(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < 1))
    throw new InvalidArgumentError('Give a share between 0 and 1, such as 0.05.');
  return number;
}

export function shareOrAll(text: string): number {
  return Number(text) === 1 ? 1 : share(text);
}

export function date(text: string): Date {
  const found = new Date(text);
  if (Number.isNaN(found.getTime()))
    throw new InvalidArgumentError('Give a date such as 2026-03-01, or 2026-03-01T12:00Z.');
  return found;
}
