import type { Estimate } from '../collectors/first-alarms/estimate.js';
import { type Fit, InputError } from '../core/index.js';
import type { Prediction } from './prediction.js';
import type { Predictions } from './predictions-file.js';
import { type DatasetScore, scorePredictions } from './score.js';
import { auroc } from './thresholds/auroc.js';
import { conformalPoint, constantPoint, type OperatingPoint } from './thresholds/operating-point.js';
import { digestOf, type ScoredPrediction, scoredPrediction } from './thresholds/scored-prediction.js';
import { type SweepPoint, sweep } from './thresholds/sweep.js';
import { underThresholds } from './thresholds/under-thresholds.js';

export interface ThresholdOptions {
  /** The share of safe runs that may have an alarm, between 0 and 1. Default: 0.05. */
  readonly far?: number | undefined;
  /** Of resamples, and of the halves of the conformal point. Default: 1. */
  readonly seed?: number | undefined;
}

/** What a score is worth at every threshold, and at the points that were picked. */
export interface ThresholdReport {
  readonly auditor: string;
  readonly dataset: string;
  readonly far: number;
  readonly seed: number;
  /** {@link digestOf} the runs that the points were picked on. */
  readonly digest: string;
  readonly runs: number;
  readonly safe: number;
  readonly groups: number;
  /** Runs without any score; they never have an alarm. */
  readonly withoutScores: number;
  /** Rows of the test split in the same file: not looked at. */
  readonly leftOut: number;
  /** By where failures come from; injected ones are far easier. */
  readonly auroc: Readonly<Record<string, Estimate | null>>;
  /** Ascending by threshold: over all runs and, where labels say so, over natural failures and all safe runs. */
  readonly sweep: readonly SweepPoint[];
  readonly natural: readonly SweepPoint[] | null;
  readonly points: readonly PickedPoint[];
  /** How many safe runs more the conformal point would need, where it has too few. */
  readonly missing: number | null;
}

export interface PickedPoint extends OperatingPoint {
  /** On the runs that it was picked on. */
  readonly score: DatasetScore;
  /** The conformal point's basis. */
  readonly fit: Omit<Fit, 'thresholds'> | null;
}

/** Rows that nothing may be picked on. */
const HELD_OUT = 'test';

/**
 * Sweeps the scores of runs that were walked to their end, and picks operating points. Rows of a test split are left out.
 * @param file where they were read, for messages
 * @throws InputError for predictions that no false-alarm rate can be told from
 */
export function thresholdReport(
  { header, predictions }: Predictions,
  file: string,
  { far = 0.05, seed = 1 }: ThresholdOptions = {},
): ThresholdReport {
  requireWalkedToEnd(header, file);
  const rows = predictions.filter(({ truth }) => truth.split !== HELD_OUT);
  const dataset = onlyDataset(rows, file);
  const scored = rows.map((row) => scoredPrediction(row, file));
  const safe = scored.filter(({ truth }) => truth.label.kind === 'safe');
  if (safe.length === 0)
    throw new InputError(
      { file },
      'has no safe run to choose on, so no false-alarm rate',
      'Walk training rows, safe ones too',
    );
  const points = sweep(scored);
  const conformal = conformalPoint(scored, far, seed);
  const picked = 'missing' in conformal ? [] : [conformal.point];
  const natural = ofSource(scored, 'natural');
  return {
    auditor: header.auditor,
    dataset,
    far,
    seed,
    digest: digestOf(scored),
    runs: scored.length,
    safe: safe.length,
    groups: new Set(scored.map(({ truth }) => truth.group)).size,
    withoutScores: scored.filter(({ scores }) => scores.length === 0).length,
    leftOut: predictions.length - rows.length,
    auroc: {
      all: auroc(scored, seed),
      ...Object.fromEntries(
        sourcesIn(scored).map((source) => [source, auroc(ofSource(scored, source), seed)]),
      ),
    },
    sweep: points,
    natural: natural.length > safe.length ? sweep(natural) : null,
    points: [constantPoint(points, far), ...picked].map((point) => ({
      ...point,
      score: scoreAt(point, rows, scored, seed),
      fit: point.name === 'conformal' && 'fit' in conformal ? basisOf(conformal.fit) : null,
    })),
    missing: 'missing' in conformal ? conformal.missing : null,
  };
}

/** What picked points do on rows that they were not picked on. */
export interface HeldOutCheck {
  readonly digest: string;
  readonly runs: number;
  /** Runs that share a task or a history with one that was picked on. */
  readonly sharedGroups: number;
  readonly scores: readonly (OperatingPoint & { readonly score: DatasetScore })[];
}

/**
 * Of a file that has rows of a test split, those; else all.
 * @param picked what the report was made from
 * @throws InputError where the scores are another auditor's, or a row has been picked on
 */
export function heldOutCheck(
  report: ThresholdReport,
  picked: Predictions,
  { header, predictions }: Predictions,
  file: string,
): HeldOutCheck {
  requireWalkedToEnd(header, file);
  for (const field of ['auditor', 'auditorDigest', 'schedule'] as const)
    if (header[field] !== picked.header[field])
      throw new InputError(
        { file, line: 1, field },
        `is ${header[field]}, but the points were picked for ${picked.header[field]}`,
        'Walk both with one auditor and one schedule',
      );
  const tested = predictions.filter(({ truth }) => truth.split === HELD_OUT);
  const rows = tested.length > 0 ? tested : predictions;
  onlyDataset(rows, file, report.dataset);
  const chosen = picked.predictions.filter(({ truth }) => truth.split !== HELD_OUT);
  const ids = new Set(chosen.map(({ truth }) => truth.runId));
  const both = rows.find(({ truth }) => ids.has(truth.runId));
  if (both)
    throw new InputError(
      { file },
      `has the run ${JSON.stringify(both.truth.runId)}, which the points were picked on`,
      'Give rows that were held out',
    );
  const scored = rows.map((row) => scoredPrediction(row, file));
  const groups = new Set(chosen.map(({ truth }) => truth.group));
  return {
    digest: digestOf(scored),
    runs: rows.length,
    sharedGroups: rows.filter(({ truth }) => groups.has(truth.group)).length,
    scores: report.points.map(({ name, thresholds }) => ({
      name,
      thresholds,
      score: scoreAt({ name, thresholds }, rows, scored, report.seed),
    })),
  };
}

function scoreAt(
  { thresholds }: OperatingPoint,
  rows: readonly Prediction[],
  scored: readonly ScoredPrediction[],
  seed: number,
): DatasetScore {
  const under = rows.map((row, at) => underThresholds(row, scored[at] as ScoredPrediction, thresholds));
  const [score] = scorePredictions(under, { by: ['source', 'domain'], seed });
  return score as DatasetScore;
}

function requireWalkedToEnd({ protocol, toEnd }: Predictions['header'], file: string): void {
  if (protocol !== 'strict')
    throw new InputError(
      { file, line: 1, field: 'protocol' },
      `is ${protocol}: only under strict is a false-alarm rate the chance that a healthy run is halted`,
      'Walk with --protocol strict',
    );
  if (!toEnd)
    throw new InputError(
      { file, line: 1, field: 'toEnd' },
      'is false: runs ended with their first alarm, and the scores after it are missing',
      'Walk with --to-end',
    );
}

function onlyDataset(rows: readonly Prediction[], file: string, wanted?: string): string {
  const names = [...new Set(rows.map(({ truth }) => truth.dataset))];
  const [name] = names;
  if (name === undefined)
    throw new InputError(
      { file },
      'has no rows to choose on',
      'Walk training rows: nothing is chosen on a test split',
    );
  if (names.length === 1 && (wanted === undefined || name === wanted)) return name;
  throw new InputError(
    { file },
    `has rows of ${names.join(', ')}${wanted === undefined ? '' : `, and the points are for ${wanted}`}`,
    'Give a file for each dataset: rates over a mix are those of the mix',
  );
}

function sourcesIn(runs: readonly ScoredPrediction[]): readonly string[] {
  const sources = runs.flatMap(({ truth: { label } }) =>
    label.kind === 'unsafe' && label.source ? [label.source] : [],
  );
  return [...new Set(sources)].sort();
}

/** Its failures, and all safe runs. */
function ofSource(runs: readonly ScoredPrediction[], source: string): readonly ScoredPrediction[] {
  return runs.filter(({ truth: { label } }) => label.kind === 'safe' || label.source === source);
}

function basisOf({ thresholds: _, ...basis }: Fit): Omit<Fit, 'thresholds'> {
  return basis;
}
