import {
  CALIBRATION_VERSION,
  type CalibrationFile,
  fewestRuns,
  fitThresholds,
  InputError,
} from '../core/index.js';
import { askedAtEveryTurn, auditorNamed } from './calibrate/auditor-option.js';
import { requireReplaceable, writeCalibration } from './calibrate/calibration-out.js';
import {
  type Gathered,
  gatherScores,
  leftOutText,
  type Part,
  type ScoreSource,
} from './calibrate/gather-scores.js';
import { found, heldOut } from './calibrate/held-out.js';
import { type CalibrationReport, reportText } from './calibrate/print.js';
import { complain } from './complain.js';
import { ExitCode } from './exit-code.js';
import { Progress } from './progress.js';

export interface CalibrateOptions {
  readonly runs: readonly string[];
  /** `signals`, or the file of an auditor's configuration. Default: the scores that the logs hold. */
  readonly auditor?: string;
  readonly far: number;
  readonly confidence: number;
  readonly seed: number;
  readonly split: Part;
  readonly ownSchedule?: boolean;
  readonly log?: string;
  readonly concurrency?: number;
  readonly deadlineMs?: number;
  readonly maxTurnMb?: number;
  readonly out: string;
  readonly check?: readonly string[];
  readonly failed?: readonly string[];
  readonly json?: boolean;
}

/** Nobody waits for these verdicts; one that comes late is better than none. */
const DEADLINE_MS = 10 * 60_000;

/** `agentforesight calibrate`: thresholds from healthy runs, into a file for `createRuntime({ calibration })`. */
export async function calibrate(options: CalibrateOptions, stop: AbortSignal): Promise<number> {
  await requireReplaceable(options.out);
  const source = await scoreSource(options, stop);
  try {
    const healthy = await gatherScores(options.runs, { label: 'safe', part: options.split }, source);
    if (stop.aborted) return stopped(options.log);
    const { calibration, allowed } = calibrationFrom(healthy, options);
    await writeCalibration(options.out, calibration);
    const held = await heldOutRuns(healthy, options, source);
    const failed = await failedRuns(options, source);
    if (stop.aborted) return stopped(options.log);
    const tasks = new Set(healthy.runs.map(({ task }) => task));
    const report: CalibrationReport = {
      out: options.out,
      calibration,
      allowed,
      endedByAlarm: healthy.runs.filter(({ endedByAlarm }) => endedByAlarm).length,
      withFailures: healthy.runs.filter(({ failures }) => failures > 0).length,
      leftOut: healthy.leftOut,
      heldOut: held && heldOut(held.runs, calibration, tasks),
      found: failed && found(failed.runs, calibration),
    };
    source.progress.end();
    console.log(options.json ? JSON.stringify(report) : reportText(report, process.stdout.columns ?? 100));
    return ExitCode.ok;
  } finally {
    source.progress.end();
  }
}

async function scoreSource(options: CalibrateOptions, stop: AbortSignal): Promise<ScoreSource> {
  const {
    auditor: named,
    ownSchedule,
    log,
    concurrency = 4,
    deadlineMs = DEADLINE_MS,
    maxTurnMb,
    out,
  } = options;
  if (log !== undefined && named === undefined) {
    throw new InputError({ file: log }, 'nobody is asked, so there is nothing to log', 'Give --auditor too');
  }
  const auditor = named === undefined ? undefined : await auditorNamed(named);
  return {
    auditor: auditor && (ownSchedule ? auditor : askedAtEveryTurn(auditor)),
    log,
    concurrency,
    deadlineMs,
    written: log === undefined ? [out] : [out, log],
    reading: {
      maxTurnBytes: maxTurnMb === undefined ? undefined : maxTurnMb * 2 ** 20,
      onWarning: (warning) => complain(`warning: ${warning}`),
    },
    progress: new Progress('runs audited', { isAlone: true }),
    stop,
  };
}

/** @throws InputError when there are too few runs, or two auditors have scored them */
function calibrationFrom(
  healthy: Gathered,
  options: CalibrateOptions,
): { readonly calibration: CalibrationFile; readonly allowed: number } {
  const { far, seed, confidence } = options;
  const auditor = onlyAuditor(options.runs, healthy);
  const fit = fitThresholds(healthy.runs, { far, confidence, seed });
  if ('missing' in fit) throw tooFew(options, healthy, fit.missing);
  const { thresholds, shapeRuns, calibrationRuns, exceeding, allowed, interval } = fit;
  const tasks = new Set(healthy.runs.map(({ task }) => task)).size;
  const calibration = {
    version: CALIBRATION_VERSION,
    createdAt: new Date().toISOString(),
    auditor,
    thresholds,
    far,
    seed,
    runs: { shape: shapeRuns, calibration: calibrationRuns, exceeding, tasks },
    interval: { confidence, ...interval },
  } as const;
  return { calibration, allowed };
}

/** Scores of two auditors are of two scales. */
function onlyAuditor(paths: readonly string[], { runs }: Gathered): string {
  const names = [...new Set(runs.flatMap(({ auditors }) => auditors))];
  const [name = 'auditor', ...others] = names;
  if (others.length === 0) return name;
  const what = `holds scores of several auditors: ${names.join(', ')}`;
  throw new InputError(
    { file: paths.join(', ') },
    what,
    "Give one auditor's runs, or --auditor to audit all anew",
  );
}

function tooFew({ runs, far }: CalibrateOptions, healthy: Gathered, missing: number): InputError {
  const others = leftOutText(healthy);
  const there = `holds ${healthy.runs.length} healthy runs with scores${others === '' ? '' : ` (left out: ${others})`}`;
  const what = `${there}; a false-alarm rate of ${far} cannot be promised from fewer than ${fewestRuns(far)}`;
  const remedy = `It needs ${missing} more, and as many again to learn how scores depend on the step`;
  return new InputError({ file: runs.join(', ') }, what, remedy);
}

async function heldOutRuns(
  healthy: Gathered,
  { check, split }: CalibrateOptions,
  source: ScoreSource,
): Promise<Gathered | undefined> {
  if (!check) return undefined;
  const part = split === 'train' ? 'test' : split === 'test' ? 'train' : 'all';
  const held = await gatherScores(check, { label: 'safe', part }, source);
  if (source.stop.aborted) return undefined;
  refuseNone(check, held, 'no healthy run to check on');
  refuseOverlap(check, healthy, held);
  return held;
}

async function failedRuns(
  { failed, split }: CalibrateOptions,
  source: ScoreSource,
): Promise<Gathered | undefined> {
  if (!failed) return undefined;
  const gathered = await gatherScores(failed, { label: 'unsafe', part: split }, source);
  if (!source.stop.aborted) refuseNone(failed, gathered, 'no run that is labelled as failed');
  return gathered;
}

/** Thresholds always do well on the runs that they were made from. */
function refuseOverlap(check: readonly string[], healthy: Gathered, held: Gathered): void {
  const used = new Set(healthy.runs.map(({ runId }) => runId));
  const both = held.runs.filter(({ runId }) => used.has(runId));
  const [first] = both;
  if (!first) return;
  const what = `holds ${both.length} of the runs that the thresholds were made from, such as ${first.runId}`;
  throw new InputError({ file: check.join(', ') }, what, 'Check on other runs');
}

function refuseNone(paths: readonly string[], gathered: Gathered, what: string): void {
  if (gathered.runs.length > 0) return;
  const others = leftOutText(gathered);
  const why = others === '' ? '' : ` (left out: ${others})`;
  throw new InputError({ file: paths.join(', ') }, `holds ${what}${why}`, 'Give other runs');
}

function stopped(log: string | undefined): number {
  complain(
    log === undefined
      ? 'stopped; with --log, a calibration can be taken up again'
      : `stopped; the same command goes on where ${log} ends`,
  );
  return ExitCode.interrupted;
}
