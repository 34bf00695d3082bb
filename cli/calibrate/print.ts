import { styleText } from 'node:util';
import { type CalibrationFile, runsForUpperEnd } from '../../core/index.js';
import { count, percent, whole } from '../figures.js';
import { table } from '../table.js';
import { oneLine } from '../terminal-text.js';
import { leftOutText } from './gather-scores.js';
import type { Found, HeldOut } from './held-out.js';

export interface CalibrationReport {
  readonly out: string;
  readonly calibration: CalibrationFile;
  /** How many calibration runs could lie above the thresholds, were there no ties. */
  readonly allowed: number;
  /** Healthy runs whose asking an alarm ended, each counted as a false alarm. */
  readonly endedByAlarm: number;
  /** Healthy runs with audits that gave no verdict. */
  readonly withFailures: number;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly heldOut?: HeldOut | undefined;
  readonly found?: Readonly<Record<string, Found>> | undefined;
}

/** An upper end beyond this many times the rate asked for is worth more runs. */
const WIDE = 1.5;
const BAR = 32;

export function reportText(report: CalibrationReport, width: number): string {
  const { calibration, out, heldOut, found } = report;
  return [
    ...basisLines(report),
    '',
    ...thresholdLines(calibration),
    '',
    ...rateLines(report),
    ...(heldOut ? ['', ...heldOutLines(heldOut, calibration)] : []),
    ...(found ? ['', ...foundLines(found)] : []),
    '',
    `written to ${oneLine(out, width)}`,
  ].join('\n');
}

function basisLines({ calibration, leftOut, endedByAlarm, withFailures }: CalibrationReport): string[] {
  const { auditor, runs, seed } = calibration;
  const all = runs.shape + runs.calibration;
  const lines = [
    styleText(
      'bold',
      `${oneLine(auditor, 60)}, calibrated on ${count(all, 'healthy run')} of ${count(runs.tasks, 'task')}`,
    ),
    `how scores depend on the step from ${whole(runs.shape)}, the rate from ${whole(runs.calibration)} (seed ${seed})`,
  ];
  if (Object.keys(leftOut).length > 0) lines.push(`left out: ${leftOutText({ leftOut })}`);
  if (runs.tasks < all)
    lines.push(
      warning(
        `${whole(all - runs.tasks)} runs repeat a task of another: they are less evidence than they count for`,
      ),
    );
  if (endedByAlarm > 0)
    lines.push(warning(`${count(endedByAlarm, 'run')} ended by an alarm, each counted as a false alarm`));
  if (withFailures > 0)
    lines.push(warning(`${count(withFailures, 'run')} with failed audits, whose scores are missing`));
  return lines;
}

/** Where the threshold changes, and a bar as long as the score that it takes. */
function thresholdLines({ thresholds }: CalibrationFile): string[] {
  const rows = thresholds.map(({ fromStep, above }) => [String(fromStep), shown(above)]);
  return table(['from step', 'alarm above'], rows).map((line, at) => {
    const threshold = thresholds[at - 1];
    return threshold ? `${line}  ${'█'.repeat(Math.round(threshold.above * BAR))}` : line;
  });
}

function rateLines({ calibration, allowed }: CalibrationReport): string[] {
  const { far, runs, interval, thresholds } = calibration;
  const confident = `${whole(interval.confidence * 100)} %`;
  const lines = [
    `healthy runs with an alarm: ${percent(far)} asked for, ${percent(runs.exceeding / runs.calibration)} here (${runs.exceeding} of ${runs.calibration})`,
    `on new ones, with ${confident} confidence: ${percent(interval.low)} to ${percent(interval.high)}`,
  ];
  if (runs.exceeding < allowed)
    lines.push(
      warning(
        `${allowed} could have one; ties at the threshold forbid it; a score of more values may find more`,
      ),
    );
  if (thresholds.every(({ above }) => above === 1))
    lines.push(
      warning(
        'these thresholds let nothing alarm: too many healthy runs reach the highest score, or were ended by an alarm; record them with calibration: uncalibrated',
      ),
    );
  if (interval.high > WIDE * far) {
    const enough = 2 * runsForUpperEnd(far, WIDE, interval.confidence);
    lines.push(`about ${whole(enough)} healthy runs in all bring the upper end to ${percent(WIDE * far)}`);
  }
  return lines;
}

function heldOutLines(
  { runs, alarms, expected, isAsExpected, isInInterval, sharedTasks }: HeldOut,
  { interval }: CalibrationFile,
) {
  const rate = `held out: ${alarms} of ${count(runs, 'healthy run')} with an alarm, ${percent(alarms / runs)}`;
  const range = `${isInInterval ? 'inside' : 'outside'} ${percent(interval.low)} to ${percent(interval.high)}`;
  const batch = `${isAsExpected ? 'as expected' : 'not as expected'}: ${expected.low} to ${expected.high} of so many`;
  const lines = [`${rate}; ${range}`, isAsExpected ? batch : warning(batch)];
  if (sharedTasks > 0) lines.push(`${whole(sharedTasks)} of them share a task with a run calibrated on`);
  return lines;
}

function foundLines(found: Readonly<Record<string, Found>>): string[] {
  const rows = Object.entries(found).map(([source, { runs, alarms, exactStep }]) => [
    source,
    whole(runs),
    percent(alarms / runs),
    percent(exactStep / runs),
  ]);
  return table(['failed runs', 'runs', 'with an alarm', 'at the labelled step'], rows);
}

function warning(text: string): string {
  return styleText('yellow', text);
}

/** Rounded up: what is shown must not alarm by rounding. */
function shown(threshold: number): string {
  return threshold === 1 ? 'never' : String(Math.ceil(threshold * 10_000) / 10_000);
}
