import { scaleLinear, scaleLog } from 'd3-scale';
import type { FrameAxis } from './chart-frame.js';

export interface NumberAxis {
  readonly label: string;
  readonly scale: 'linear' | 'log';
}

export interface PlacedAxis extends FrameAxis {
  /** The pixel of a value. */
  at(value: number): number;
}

const TICKS = 6;
/** Wider than this, in powers of ten, a log axis has room for the powers alone. */
const WIDEST_WITH_STEPS = 3;

/** An axis over these values, from one pixel to another. @throws RangeError at what it cannot show */
export function numberAxis(
  { label, scale }: NumberAxis,
  values: readonly number[],
  range: readonly [number, number],
): PlacedAxis {
  const odd = values.find((value) => !Number.isFinite(value) || (scale === 'log' && value <= 0));
  if (odd !== undefined)
    throw new RangeError(`the ${scale} axis ${JSON.stringify(label)} cannot show ${odd}`);
  const place =
    scale === 'log'
      ? scaleLog(logDomain(values), range)
      : scaleLinear(linearDomain(values), range).nice(TICKS);
  const shown = scale === 'log' ? logTicks(place.domain(), place.ticks()) : place.ticks(TICKS);
  const written = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
  return {
    label,
    at: (value) => place(value),
    ticks: shown.map((value) => ({ at: place(value), text: written.format(value) })),
  };
}

function linearDomain(values: readonly number[]): [number, number] {
  const [least, most] = ends(values, [0, 1]);
  return least === most ? [least - 0.5, most + 0.5] : [least, most];
}

/** A little room on both sides, and at least one tick inside. */
function logDomain(values: readonly number[]): [number, number] {
  const [least, most] = ends(values, [1, 10]);
  return [least / 1.25, most * 1.25];
}

function ends(values: readonly number[], ofNone: [number, number]): [number, number] {
  return values.length === 0
    ? ofNone
    : values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
      ] as [number, number]);
}

/** d3 gives every multiple of each power; 1, 2 and 5 are what people read. */
function logTicks([least, most]: readonly number[], ticks: readonly number[]): number[] {
  const powers = Math.log10((most ?? 1) / (least ?? 1));
  const leading = powers > WIDEST_WITH_STEPS ? [1] : [1, 2, 5];
  const kept = ticks.filter((tick) => leading.includes(Number(tick.toExponential().split('e')[0])));
  return kept.length > 1 ? kept : [...ticks];
}
