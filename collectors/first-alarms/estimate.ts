import type { Interval } from '../../core/index.js';

/** What was measured, with its 95 % interval. Shares and F1s are in percent; all are rounded to hundredths, as they are published. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export const CONFIDENCE = 0.95;

/** @param value 0 to 1, as the interval's ends */
export function percent(value: number, { low, high }: Interval): Estimate {
  return { value: rounded(100 * value), low: rounded(100 * low), high: rounded(100 * high) };
}

export function rounded(value: number): number {
  return Number(value.toFixed(2));
}
