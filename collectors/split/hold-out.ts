import { hash } from 'node:crypto';

/** Runs that stay together, counted by stratum: domain and kind of label. */
export interface Group {
  readonly name: string;
  readonly runs: ReadonlyMap<string, number>;
}

/**
 * Names of the groups that are held out, so that each stratum gives about `share` of its runs. Groups are taken in an order
 * that depends on seed and name alone; one is held out when that brings the counts nearer to their goals, in squares summed
 * over the strata. Where every group lies in one stratum, each count ends at most half of its largest group from its goal, rounded.
 */
export function holdOut(groups: readonly Group[], share: number, seed: number): ReadonlySet<string> {
  const totals = new Map<string, number>();
  for (const { runs } of groups)
    for (const [stratum, count] of runs) totals.set(stratum, (totals.get(stratum) ?? 0) + count);
  // Whole numbers: sums of fractions would depend on the order of the groups.
  const missing = new Map([...totals].map(([stratum, total]) => [stratum, Math.round(share * total)]));
  const shuffled = groups
    .map((group) => ({ group, place: hash('sha256', `${seed}\0${group.name}`) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const held = new Set<string>();
  for (const { group } of shuffled) {
    // (m - c)² < m² for a count c and what is still missing, m.
    const strata = [...group.runs];
    const gain = strata.reduce(
      (sum, [stratum, count]) => sum + count * (2 * (missing.get(stratum) ?? 0) - count),
      0,
    );
    if (gain <= 0) continue;
    held.add(group.name);
    for (const [stratum, count] of strata) missing.set(stratum, (missing.get(stratum) ?? 0) - count);
  }
  return held;
}
