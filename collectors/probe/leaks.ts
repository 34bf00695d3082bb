import { releasedF1 } from '../first-alarms/exact-f1.js';
import { type Fold, score } from './cross-validate.js';
import type { PrefixRows } from './prefix-rows.js';
import type { ProbeColumn } from './probe-kind.js';
import { randomNumbers } from './random-numbers.js';
import { alarmCounts, type WalkedRun } from './strict-score.js';
import { walked } from './walk.js';

/** A feature that gives labels away. */
export interface Leak {
  readonly feature: string;
  /** Percent of all loss saved by splits on it. */
  readonly gain: number;
  /** Points of Exact-F1 that are lost when its values are shuffled among the held-out prefixes. Features that say the same stand in for each other. */
  readonly drop: number;
  /** The same within each domain. */
  readonly domains: Readonly<Record<string, number>>;
}

/** The features that saved most loss, in the order of what their shuffling costs. */
export function leaksOf(
  folds: readonly Fold[],
  rows: PrefixRows,
  count: number,
  seed: number,
): readonly Leak[] {
  const gains = gainShares(folds);
  const whole = folds.flatMap((fold) => fold.walked);
  const before = f1ByDomain(whole);
  return [...gains]
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([feature, gain]) => {
      const after = f1ByDomain(folds.flatMap((fold) => walkedWithout(feature, fold, rows, seed)));
      const drops = [...before].map(
        ([domain, f1]) => [domain, points(f1 - (after.get(domain) ?? 0))] as const,
      );
      const { [EVERYWHERE]: drop = 0, ...domains } = Object.fromEntries(drops);
      return { feature, gain: points(gain), drop, domains };
    })
    .sort((one, other) => other.drop - one.drop);
}

const EVERYWHERE = '';

function gainShares(folds: readonly Fold[]): ReadonlyMap<string, number> {
  const gains = new Map<string, number>();
  for (const { probe } of folds)
    for (const [index, { name }] of probe.columns.entries())
      gains.set(name, (gains.get(name) ?? 0) + (probe.model.gains[index] as number));
  const total = [...gains.values()].reduce((sum, gain) => sum + gain, 0) || 1;
  return new Map([...gains].map(([name, gain]) => [name, gain / total]));
}

function walkedWithout(feature: string, fold: Fold, rows: PrefixRows, seed: number): readonly WalkedRun[] {
  const { heldOut, probe, threshold } = fold;
  if (!probe.columns.some(({ name }) => name === feature)) return fold.walked;
  const held = rows.of(heldOut);
  const columns = probe.columns.map((column) =>
    column.name === feature ? shuffledAmong(held, column, seed) : column,
  );
  const scores = new Float64Array(rows.count);
  score({ ...probe, columns }, held, scores);
  return walked(rows, heldOut, scores, threshold);
}

function shuffledAmong(held: Uint32Array, column: ProbeColumn, seed: number): ProbeColumn {
  const random = randomNumbers(seed);
  const bins = column.bins.slice();
  for (let at = held.length - 1; at > 0; at--) {
    const one = held[at] as number;
    const other = held[Math.floor(random() * (at + 1))] as number;
    [bins[one], bins[other]] = [bins[other] as number, bins[one] as number];
  }
  return { ...column, bins };
}

function f1ByDomain(runs: readonly WalkedRun[]): ReadonlyMap<string, number> {
  const f1 = (some: readonly WalkedRun[]) => releasedF1(alarmCounts(some));
  const byDomain = Map.groupBy(runs, ({ run }) => run.domain);
  return new Map([
    [EVERYWHERE, f1(runs)],
    ...[...byDomain].sort().map(([domain, some]) => [domain, f1(some)] as const),
  ]);
}

function points(share: number): number {
  return Number((100 * share).toFixed(2));
}
