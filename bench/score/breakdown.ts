import type { TalliedRun } from './tallied-run.js';

export const DIMENSIONS = ['domain', 'source', 'split', 'length'] as const;

/**
 * By what the runs of a dataset are parted:
 * - `domain`, `split`: as the corpus has them,
 * - `source`: of the label, injected or natural; all safe runs stand beside each,
 * - `length`: turns of the whole run, in bins that are the same for every dataset.
 */
export type Dimension = (typeof DIMENSIONS)[number];

/** Upper ends, in turns. */
const LENGTHS = [10, 20, 40, Infinity];
const NONE = 'none';

/** Parts of the runs, each with its name. @returns none where the corpus knows nothing of it */
export function partsBy(
  dimension: Dimension,
  runs: readonly TalliedRun[],
): readonly (readonly [name: string, runs: readonly TalliedRun[]])[] {
  if (dimension === 'source') return bySource(runs);
  if (dimension === 'length') return byLength(runs);
  return named(runs, ({ truth }) => truth[dimension]);
}

function named(
  runs: readonly TalliedRun[],
  nameOf: (run: TalliedRun) => string | undefined,
): readonly (readonly [string, readonly TalliedRun[]])[] {
  const parts = Map.groupBy(runs, (run) => nameOf(run) ?? NONE);
  if (parts.size === 1 && parts.has(NONE)) return [];
  return [...parts].sort(([one], [other]) => (one < other ? -1 : 1));
}

function bySource(runs: readonly TalliedRun[]) {
  const safe = runs.filter(({ truth }) => truth.label.kind === 'safe');
  const unsafe = runs.filter(({ truth }) => truth.label.kind === 'unsafe');
  const sourceOf = ({ truth: { label } }: TalliedRun) => (label.kind === 'unsafe' ? label.source : undefined);
  return named(unsafe, sourceOf).map(([source, some]) => [source, [...some, ...safe]] as const);
}

function byLength(runs: readonly TalliedRun[]) {
  return LENGTHS.map((most, at) => {
    const before = LENGTHS[at - 1] ?? 0;
    const some = runs.filter(({ truth: { turns } }) => turns > before && turns <= most);
    const range = most === Infinity ? `over ${before}` : `${before + 1} to ${most}`;
    return [`${range} turns`, some] as const;
  }).filter(([, some]) => some.length > 0);
}
