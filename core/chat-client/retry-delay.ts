import type { ChatFailure } from './chat-failure.js';

/** Milliseconds before the first retry; doubled for each that follows. */
const FIRST = 250;
const LONGEST = 8_000;

/** The longest that a server may have us wait where no deadline is known. */
const PATIENCE = 60_000;

/**
 * How long to wait before the next attempt, in milliseconds; nothing when there is no time left for one.
 *
 * @param retry 0 for the first
 * @param left until the deadline
 */
export function retryDelay({ details }: ChatFailure, retry: number, left = PATIENCE): number | undefined {
  // Half of it by chance, lest all who failed together come back together.
  const backoff = Math.min(FIRST * 2 ** retry, LONGEST) * (0.5 + Math.random() / 2);
  const { retryAfterMs } = details;
  const delay = retryAfterMs === undefined ? backoff : retryAfterMs + Math.random() * FIRST;
  // Without a deadline, what a server may ask for is above what a timer can take, which then fires at once.
  return delay < (Number.isFinite(left) ? left : PATIENCE) ? delay : undefined;
}

/** `Retry-After` in seconds or as an HTTP date, and OpenAI's `retry-after-ms`. In milliseconds from now. */
export function readRetryAfter(headers: Headers | undefined, now = Date.now()): number | undefined {
  const milliseconds = number(headers?.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const given = headers?.get('retry-after');
  const seconds = number(given);
  if (seconds !== undefined) return seconds * 1000;
  // All forms of an HTTP date have a time of day; without one, Date.parse takes `-5` for a month of May.
  const date = /\d:\d\d:\d\d/.test(given ?? '') ? Date.parse(given ?? '') : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function number(text: string | null | undefined): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text ?? '') ? Number(text) : undefined;
}
