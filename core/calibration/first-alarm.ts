import { type Thresholds, thresholdAt } from '../calibration.js';
import type { StepScore } from './scored-run.js';

/** Where a run that was scored to its end would have had its alarm. */
export function firstAlarm<Scored extends StepScore>(
  scores: readonly Scored[],
  thresholds: Thresholds,
): Scored | undefined {
  return scores.find(({ step, score }) => score > thresholdAt({ thresholds }, step));
}
