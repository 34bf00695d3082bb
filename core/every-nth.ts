import { SetupError } from './errors.js';
import { saysSomethingNew } from './portable-schedule.js';
import type { TurnCount } from './prefix.js';
import type { Schedule } from './schedule.js';

const worthACall: TurnCount = { counts: saysSomethingNew };

/**
 * An economy: of the turns that {@link portableSchedule} asks about, the first and every n-th after it. A decisive error is
 * then often seen late, at the turn audited next, when it may have spread; `alsoOnSignals(everyNth(n))` makes up for some.
 *
 * | | prefixes skipped | decisive steps audited at once | steps late, mean |
 * |---|---|---|---|
 * | AFTraj-2K, training rows: n = 1 | 57.4 % | 98.9 % | 0.02 |
 * | n = 2 | 76.1 % | 49.5 % | 1.03 |
 * | n = 3 | 83.2 % | 24.6 % | 1.84 |
 * | n = 5 | 88.8 % | 17.0 % | 2.74 |
 * | Who&When, algorithm-generated: n = 1 | 39.8 % | 82.5 % | 0.29 |
 * | n = 2 | 66.7 % | 46.8 % | 0.81 |
 * | n = 3 | 76.2 % | 42.9 % | 1.20 |
 * | Who&When, hand-crafted: n = 1 | 23.8 % | 98.3 % | 0.02 |
 * | n = 2 | 61.3 % | 51.7 % | 0.47 |
 * | n = 3 | 73.7 % | 56.9 % | 0.84 |
 *
 * A function of the prefix alone, so that runs and side-by-side branches can share it: what a branch counts is its past.
 * @throws SetupError when `n` is no positive integer
 */
export function everyNth(n: number): Schedule {
  if (!Number.isInteger(n) || n < 1)
    throw new SetupError('schedule', `everyNth(${n}) asks at no turn`, 'Pass 1, 2, 3 …');
  return {
    due: (prefix) => saysSomethingNew(prefix, prefix.newest) && prefix.count(worthACall) % n === 1 % n,
  };
}
