import type { AlarmCounts } from '../../collectors/first-alarms/alarm-counts.js';
import { CONFIDENCE, type Estimate, percent, rounded } from '../../collectors/first-alarms/estimate.js';
import { groupedBootstrap, percentileInterval } from '../../collectors/first-alarms/grouped-bootstrap.js';
import { clopperPearson, type Interval } from '../../core/index.js';
import { type RunCounts, summed, type TalliedRun } from './tallied-run.js';

type Name = keyof RunCounts;

/** A share of what was counted, in percent: `part` of `of`. */
export interface Share extends Estimate {
  readonly part: number;
  readonly of: number;
}

/**
 * Sums over some runs, and how they would have varied: all intervals are read from one set of resamples of whole groups.
 * Clopper and Pearson's, which the field gives for shares, takes runs of one task for independent and is too narrow here.
 * It stands in, with groups for trials, only where nothing or everything hits: no resample can then differ.
 */
export class Evidence {
  readonly counts: RunCounts;
  readonly groups: number;
  readonly #groups: readonly RunCounts[];
  readonly #resamples: readonly RunCounts[];

  /** @param runs at least one; their order does not matter */
  constructor(runs: readonly TalliedRun[], resamples: number, seed: number) {
    const byGroup = [...Map.groupBy(runs, ({ truth }) => truth.group)];
    byGroup.sort(([one], [other]) => (one < other ? -1 : 1));
    this.#groups = byGroup.map(([, members]) => summed(members));
    this.#resamples = groupedBootstrap(this.#groups, resamples, seed);
    this.groups = this.#groups.length;
    this.counts = summed(runs);
  }

  /** @returns null where there is no whole */
  share(part: Name, whole: Name): Share | null {
    const { [part]: hits, [whole]: trials } = this.counts;
    if (trials === 0) return null;
    const isEnd = hits === 0 || hits === trials;
    const interval = isEnd ? this.#endOf(part, whole) : this.#spread(ratio(part, whole));
    return { ...percent(hits / trials, interval), part: hits, of: trials };
  }

  /** Not in percent. @returns null where there is no whole */
  mean(part: Name, whole: Name): Estimate | null {
    const mean = ratio(part, whole);
    const value = mean(this.counts);
    if (value === null) return null;
    const { low, high } = this.#spread(mean);
    return { value: rounded(value), low: rounded(low), high: rounded(high) };
  }

  /** Percent. @returns null where no run is unsafe */
  exactF1(f1: (counts: AlarmCounts) => number): Estimate | null {
    const { unsafe, exact, flagged } = this.counts;
    if (unsafe === 0) return null;
    const value = f1(this.counts);
    if (exact > 0 && value < 1) return percent(value, this.#spread(f1));
    // As far as recall may be from none, or from all, with no alarm fewer.
    const at = (recall: number) =>
      f1({ ...this.counts, exact: recall * unsafe, flagged: Math.max(flagged, recall * unsafe) });
    const { low, high } = this.#endOf('exact', 'unsafe');
    return percent(value, { low: at(low), high: at(high) });
  }

  /** Of a share that is 0 or 1: the groups that could have shown otherwise, and did not. */
  #endOf(part: Name, whole: Name): Interval {
    const trials = this.#groups.filter((group) => group[whole] > 0).length;
    return clopperPearson(this.counts[part] === 0 ? 0 : trials, trials, CONFIDENCE);
  }

  #spread(metric: (counts: RunCounts) => number | null): Interval {
    const values = this.#resamples.map(metric).filter((value) => value !== null);
    const value = metric(this.counts) ?? 0;
    return percentileInterval(values, CONFIDENCE) ?? { low: value, high: value };
  }
}

function ratio(part: Name, whole: Name) {
  return (counts: RunCounts) => (counts[whole] === 0 ? null : counts[part] / counts[whole]);
}
