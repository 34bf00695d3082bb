import { type Fit, fitThresholds, type Thresholds, type TooFewRuns } from '../../core/index.js';
import type { ScoredPrediction } from './scored-prediction.js';
import type { SweepPoint } from './sweep.js';

/** Where a score becomes an alarm. */
export interface OperatingPoint {
  /**
   * - `constant`: the lowest threshold whose false-alarm rate on the given runs is at most the one asked for. It has been
   *   picked by these very runs, so on new ones the rate may as well be higher, and nothing is promised.
   * - `conformal`: by step, from safe runs alone; on new ones of the same kind the rate is at most the one asked for.
   */
  readonly name: 'constant' | 'conformal';
  readonly thresholds: Thresholds;
}

/** @param points ascending @param far 0 to 1 @throws RangeError where no run is safe */
export function constantPoint(points: readonly SweepPoint[], far: number): OperatingPoint {
  const lowest = points.find((point) => point.far !== null && point.far <= 100 * far);
  if (!lowest) throw new RangeError('without safe runs there is no false-alarm rate');
  return { name: 'constant', thresholds: [{ fromStep: 0, above: lowest.above }] };
}

/** Of the safe runs, half give the shape over the steps, and the others the rate. @param far 0 to 1 */
export function conformalPoint(
  runs: readonly ScoredPrediction[],
  far: number,
  seed: number,
): { readonly point: OperatingPoint; readonly fit: Fit } | TooFewRuns {
  const safe = runs.filter(({ truth }) => truth.label.kind === 'safe');
  const fit = fitThresholds(
    safe.map(({ truth, scores }) => ({ task: truth.group, scores })),
    { far, seed },
  );
  if ('missing' in fit) return fit;
  return { point: { name: 'conformal', thresholds: fit.thresholds }, fit };
}
