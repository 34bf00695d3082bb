import { z } from 'zod';
import type { Prefix } from './prefix.js';
import type { Verdict } from './verdict.js';

const thresholdSchema = z.strictObject({
  /** The first step, 0-based, that it holds for; it holds until the next one's. */
  fromStep: z.int().nonnegative(),
  /** P(alarm) must exceed it. 1 never lets an alarm pass. */
  above: z.number().min(0).max(1),
});

/** Step-dependent thresholds on an auditor's score. The first holds from step 0 on; they ascend by `fromStep`. */
export const thresholdsSchema = z
  .array(thresholdSchema)
  .min(1)
  .readonly()
  .refine(
    (all) =>
      all.every(({ fromStep }, i) => (i === 0 ? fromStep === 0 : fromStep > (all[i - 1]?.fromStep ?? 0))),
    { error: 'must begin at step 0 and ascend' },
  );

export type Thresholds = z.infer<typeof thresholdsSchema>;

/** For options; what else a calibration's file holds is let through. */
export const calibrationSchema = z.looseObject({
  thresholds: thresholdsSchema,
  auditor: z.string().optional(),
});

/** What decides from a score whether a verdict is an alarm, in place of the auditor's own word. */
export interface Calibration {
  readonly thresholds: Thresholds;
  /** The name of the auditor whose scores the thresholds are for. Another's are of another scale, and it is reported. */
  readonly auditor?: string | undefined;
}

export function isFor(calibration: Calibration, auditor: string): boolean {
  return calibration.auditor === undefined || calibration.auditor === auditor;
}

/** Scores are recorded and nothing alarms: how healthy runs are collected to calibrate an auditor on. */
export const uncalibrated: Calibration = { thresholds: [{ fromStep: 0, above: 1 }] };

export function thresholdAt({ thresholds }: Pick<Calibration, 'thresholds'>, step: number): number {
  return thresholds.findLast(({ fromStep }) => fromStep <= step)?.above ?? 1;
}

/**
 * The verdict that holds for a scored one. A Continue whose score is too high becomes an alarm on the newest turn: the
 * auditor itself has named none.
 */
export function calibrated(verdict: Verdict, score: number, prefix: Prefix, threshold: number): Verdict {
  if (score <= threshold) return { kind: 'continue', score };
  if (verdict.kind === 'alarm') return verdict;
  const { index: step, agent } = prefix.newest;
  const reason = `the score ${shown(score)} exceeds the threshold ${shown(threshold)} of step ${step}; the auditor itself said Continue, and gives no reason`;
  return { kind: 'alarm', step, agent, reason, score };
}

function shown(share: number): number {
  return Number(share.toPrecision(6));
}
