import { CONFIDENCE, type Estimate, percent } from '../../collectors/first-alarms/estimate.js';
import { percentileInterval } from '../../collectors/first-alarms/grouped-bootstrap.js';
import { randomNumbers } from '../../collectors/probe/random-numbers.js';
import type { ScoredPrediction } from './scored-prediction.js';

const RESAMPLES = 1_000;

/**
 * How often, in percent, an unsafe run's highest score lies above a safe run's, ties counting half. What no threshold can
 * undo: 50 is chance. With an interval over resampled groups.
 * @returns null where either kind of run is missing
 */
export function auroc(runs: readonly ScoredPrediction[], seed: number): Estimate | null {
  const ranked = runs
    .map(({ truth, scores }) => ({
      isUnsafe: truth.label.kind === 'unsafe',
      group: truth.group,
      highest: scores.reduce((highest, { score }) => Math.max(highest, score), 0),
    }))
    .sort((one, other) => one.highest - other.highest);
  const names = [...new Set(ranked.map(({ group }) => group))].sort();
  const numbers = new Map(names.map((name, number) => [name, number]));
  const members = ranked.map(({ group, ...run }) => ({ ...run, group: numbers.get(group) as number }));
  const value = weighted(members, new Float64Array(names.length).fill(1));
  if (value === null) return null;
  const random = randomNumbers(seed);
  const values = Array.from({ length: RESAMPLES }, () => {
    const weights = new Float64Array(names.length);
    for (let draw = 0; draw < names.length; draw++) {
      const drawn = Math.floor(random() * names.length);
      weights[drawn] = (weights[drawn] as number) + 1;
    }
    return weighted(members, weights);
  }).filter((resampled) => resampled !== null);
  return percent(value, percentileInterval(values, CONFIDENCE) ?? { low: value, high: value });
}

interface Member {
  readonly isUnsafe: boolean;
  readonly group: number;
  readonly highest: number;
}

/** @param ascending by their highest scores @param weights of the groups */
function weighted(ascending: readonly Member[], weights: Float64Array): number | null {
  let [safe, unsafe, won] = [0, 0, 0];
  for (let at = 0; at < ascending.length; ) {
    const { highest } = ascending[at] as Member;
    let [tiedSafe, tiedUnsafe] = [0, 0];
    for (; ascending[at]?.highest === highest; at++) {
      const { isUnsafe, group } = ascending[at] as Member;
      if (isUnsafe) tiedUnsafe += weights[group] as number;
      else tiedSafe += weights[group] as number;
    }
    won += tiedUnsafe * (safe + tiedSafe / 2);
    safe += tiedSafe;
    unsafe += tiedUnsafe;
  }
  return safe === 0 || unsafe === 0 ? null : won / (safe * unsafe);
}
