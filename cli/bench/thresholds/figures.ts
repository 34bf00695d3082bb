import type { DatasetScore } from '../../../bench/score.js';
import type { OperatingPoint } from '../../../bench/thresholds/operating-point.js';
import type { SweepPoint } from '../../../bench/thresholds/sweep.js';
import type { ThresholdReport } from '../../../bench/thresholds.js';
import { whole } from '../../figures.js';
import type { LookedAt } from '../thresholds.js';

/** A table's cells as plain text: numbers in percent, with their 95 % intervals. */
export interface TextTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Ranged {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export function pointsTable({ points, far }: ThresholdReport, looked: LookedAt | undefined): TextTable {
  return {
    title: `Operating points for a FAR of ${100 * far} %`,
    head: [
      'point, and rows',
      'threshold',
      'FAR',
      'Step-Acc',
      'Exact-F1, released',
      'paper',
      'premature',
      'per-prefix FAR',
    ],
    rows: points.flatMap((point) => {
      const tested = looked?.check.scores.find(({ name }) => name === point.name);
      return [
        ...rowsOf(point, 'picked on', point.score),
        ...(tested ? rowsOf(point, 'held out', tested.score) : []),
      ];
    }),
  };
}

/** All failures, then each source of them beside the same safe runs. */
function rowsOf(point: OperatingPoint, rows: string, { overall, by }: DatasetScore): string[][] {
  const sources = Object.entries(by.source ?? {}).filter(([name]) => name !== 'none');
  return [
    [rows, overall] as const,
    ...sources.map(([name, score]) => [`${rows}, ${name}`, score] as const),
  ].map(([name, score]) => [
    `${point.name}, ${name}`,
    shownThresholds(point),
    ranged(score.far),
    ranged(score.stepAcc),
    ranged(score.exactF1Released),
    ranged(score.exactF1Paper),
    one(score.prematureAlarms?.value ?? null),
    one(score.prefixFalseAlarms.ofAllRuns?.value ?? null),
  ]);
}

const SHOWN_RATES = [0, 1, 2, 5, 10, 20, 30, 50, 100];

/** The lowest threshold for each of some rates. */
export function curveTable({ sweep, natural }: ThresholdReport): TextTable {
  const rows = SHOWN_RATES.flatMap((rate) => {
    const point = lowest(sweep, rate);
    if (!point) return [];
    const ofNatural = natural && lowest(natural, rate);
    return [
      [
        `at most ${rate} %`,
        shown(point.above),
        one(point.far),
        one(point.stepAcc),
        one(ofNatural?.stepAcc ?? null),
        one(point.exactF1Released),
        one(point.exactF1Paper),
        one(point.prematureAlarms),
        one(point.prefixFalseAlarms),
        point.ass === null ? '-' : point.ass.toFixed(2),
      ],
    ];
  });
  return {
    title: 'What a constant threshold finds, on the rows that points are picked on',
    head: [
      ...['FAR', 'above', 'FAR there', 'Step-Acc', 'natural', 'Exact-F1, released', 'paper', 'premature'],
      ...['per-prefix FAR', 'ASS'],
    ],
    rows,
  };
}

/** `all 61.2 (58.9 to 63.5), natural 52.1 (…)` */
export function aurocText({ auroc }: ThresholdReport): string {
  return Object.entries(auroc)
    .map(([name, estimate]) => `${name} ${ranged(estimate)}`)
    .join(', ');
}

export function rowsText({ runs, safe, groups, leftOut, withoutScores }: ThresholdReport): string {
  const parts = [
    `${whole(runs)} runs (${whole(safe)} safe) of ${whole(groups)} groups`,
    leftOut > 0 && `${whole(leftOut)} test rows left out`,
    withoutScores > 0 && `${whole(withoutScores)} without scores, which never alarm`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** What the conformal point rests on, or why there is none. */
export function promiseText({ points, missing, far }: ThresholdReport): string {
  if (missing !== null)
    return `conformal: ${whole(missing)} safe runs more are needed for a FAR of ${100 * far} %`;
  const fit = points.find(({ name }) => name === 'conformal')?.fit;
  if (!fit) return '';
  const { exceeding, calibrationRuns, interval } = fit;
  return `conformal promises at most ${100 * far} % on new healthy runs of the same kind: ${exceeding} of ${whole(calibrationRuns)} here, ${(100 * interval.low).toFixed(1)} to ${(100 * interval.high).toFixed(1)} % with 95 % confidence; constant promises nothing`;
}

export function lookText({ check, looks, record }: LookedAt): string {
  const shared =
    check.sharedGroups > 0
      ? `; ${whole(check.sharedGroups)} share a task or a history with a picked-on run`
      : '';
  return `held out: ${whole(check.runs)} runs${shared}; looked at with ${looks} operating point${looks === 1 ? '' : 's'} by now (${record})`;
}

function lowest(sweep: readonly SweepPoint[], rate: number): SweepPoint | undefined {
  return sweep.find(({ far }) => far !== null && far <= rate);
}

function shownThresholds({ thresholds }: OperatingPoint): string {
  const [first, ...others] = new Set(thresholds.map(({ above }) => shown(above)));
  return others.length > 0 ? 'by step' : (first ?? '-');
}

/** Rounded up: what is shown must not alarm by rounding. */
function shown(threshold: number): string {
  return threshold >= 1 ? 'never' : String(Math.ceil(threshold * 10_000 - 1e-9) / 10_000);
}

function ranged(estimate: Ranged | null): string {
  if (!estimate) return '-';
  return `${one(estimate.value)} (${one(estimate.low)} to ${one(estimate.high)})`;
}

function one(value: number | null): string {
  return value === null ? '-' : value.toFixed(1);
}
