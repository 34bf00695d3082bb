import type { Thresholds } from '../calibration.js';
import { clopperPearson, type Interval } from './binomial-interval.js';
import { firstAlarm } from './first-alarm.js';
import { fewestRuns, mayExceed } from './runs-needed.js';
import type { ScoredRun } from './scored-run.js';
import { splitRuns } from './split-runs.js';
import { flatShape, locationAt, logOdds, type StepShape, scoreAt, stepShape } from './step-shape.js';

export interface FitOptions {
  /** The share of healthy runs that may have an alarm at any of their prefixes, between 0 and 1. */
  readonly far: number;
  /** Of the interval. Default 0.95. */
  readonly confidence?: number | undefined;
  /** Chooses which runs go to which half. Default 1. */
  readonly seed?: number | undefined;
}

export interface Fit {
  readonly thresholds: Thresholds;
  /** How many runs the step shape was learnt from; none where there were too few to spare. */
  readonly shapeRuns: number;
  readonly calibrationRuns: number;
  /** Of the calibration runs, those that have an alarm under these thresholds. */
  readonly exceeding: number;
  /** How many could have. Fewer do where others share the score at the threshold: ties cost power, never the promise. */
  readonly allowed: number;
  /** The false-alarm rate that these very thresholds have on new healthy runs lies in it, with the given confidence. */
  readonly interval: Interval;
}

/** There is no finite threshold yet: so many healthy runs more are needed. */
export interface TooFewRuns {
  readonly missing: number;
}

/**
 * In log-odds. Rounding must never put a threshold below the score that it comes from, or all ties of that score would
 * alarm; this is far above any rounding error and far below any difference that matters.
 */
const SLACK = 1e-6;

/**
 * Step-dependent thresholds from healthy runs alone, by split conformal prediction (Papadopoulos et al. 2002; Vovk,
 * Gammerman and Shafer 2005). One half of the runs gives a shape, how high scores reach by nature at each step. Of every
 * run of the other half, the highest excess over that shape at any of its prefixes is taken, in log-odds; the
 * ceil((n + 1)(1 - far))-th smallest of these is added to the shape.
 *
 * Then a new healthy run has an alarm at any prefix with probability of at most `far`, whatever the auditor is worth, if it
 * is exchangeable with these: same auditor, same kind of tasks, same agents. That is an average over such calibrations. The
 * rate of this very one varies, as Beta(n + 1 - l, l) with l = ceil((n + 1)(1 - far)) where scores have no ties; `interval`
 * says how far.
 *
 * Pure: the same runs in the same order, far and seed give the same thresholds.
 */
export function fitThresholds(runs: readonly ScoredRun[], options: FitOptions): Fit | TooFewRuns {
  const { far, confidence = 0.95, seed = 1 } = options;
  const scored = runs.filter(({ scores, endedByAlarm }) => scores.length > 0 || endedByAlarm);
  const fewest = fewestRuns(far);
  if (scored.length < fewest) return { missing: fewest - scored.length };
  const halves = splitRuns(scored, seed, fewest);
  const shape = halves.shape.length === 0 ? flatShape : stepShape(halves.shape);
  const thresholds = above(shape, shiftFor(halves.calibration, shape, far));
  const exceeding = halves.calibration.filter(
    (run) => run.endedByAlarm || firstAlarm(run.scores, thresholds),
  ).length;
  return {
    thresholds,
    shapeRuns: halves.shape.length,
    calibrationRuns: halves.calibration.length,
    exceeding,
    allowed: mayExceed(halves.calibration.length, far) - 1,
    interval: clopperPearson(exceeding, halves.calibration.length, confidence),
  };
}

function shiftFor(runs: readonly ScoredRun[], shape: StepShape, far: number): number {
  const ascending = runs.map((run) => excess(run, shape)).sort((one, other) => one - other);
  return ascending[runs.length - mayExceed(runs.length, far)] as number;
}

/** The conformity score of a run: the least shift under which none of its prefixes alarms. */
function excess({ scores, endedByAlarm }: ScoredRun, shape: StepShape): number {
  if (endedByAlarm) return Number.POSITIVE_INFINITY;
  return scores.reduce(
    (highest, { step, score }) => Math.max(highest, logOdds(score, shape.floor) - locationAt(shape, step)),
    Number.NEGATIVE_INFINITY,
  );
}

function above({ bins }: StepShape, shift: number): Thresholds {
  return bins
    .map(({ fromStep, location }) => ({ fromStep, above: scoreAt(location + shift + SLACK) }))
    .filter(({ above }, at, all) => at === 0 || above !== all[at - 1]?.above);
}
