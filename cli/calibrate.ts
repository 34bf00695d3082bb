import {
  CALIBRATION_VERSION,
  type CalibrationFile,
  type Fit,
  fewestRuns,
  fitThresholds,
  InputError,
} from '../core/index.js';
import { askedAtEveryTurn, auditorNamed } from './calibrate/auditor-option.js';
import { requireReplaceable, writeCalibration } from './calibrate/calibration-out.js';
import {
  type Gathered,
  gatherScores,
  type Part,
  type ScoreSource,
  type Wanted,
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
  const { far, confidence, seed, split, out } = options;
  await requireReplaceable(out);
  const source = await scoreSource(options, stop);
  const gather = (paths: readonly string[], wanted: Wanted) => gatherScores(paths, wanted, source);

  const healthy = await gather(options.runs, { label: 'safe', part: split });
  if (stop.aborted) return stopped(options.log);
  const auditor = onlyAuditor(options.runs, healthy);
  const fit = fitThresholds(healthy.runs, { far, confidence, seed });
  if ('missing' in fit) throw tooFew(options, healthy.runs.length, fit.missing);
  const calibration = calibrationOf(fit, options, auditor, healthy);
  await writeCalibration(out, calibration);

  const held = options.check && (await gather(options.check, { label: 'safe', part: otherPart(split) }));
  if (held && !stop.aborted) refuseOverlap(options, healthy, held);
  const failed = options.failed && (await gather(options.failed, { label: 'unsafe', part: split }));
  if (stop.aborted) return stopped(options.log);
  source.progress.end();

  const tasks = new Set(healthy.runs.map(({ task }) => task));
  const report: CalibrationReport = {
    out,
    calibration,
    allowed: fit.allowed,
    endedByAlarm: healthy.runs.filter(({ endedByAlarm }) => endedByAlarm).length,
    withFailures: healthy.runs.filter(({ failures }) => failures > 0).length,
    leftOut: healthy.leftOut,
    heldOut: held && heldOut(held.runs, calibration, tasks),
    found: failed && found(failed.runs, calibration),
  };
  console.log(options.json ? JSON.stringify(report) : reportText(report, process.stdout.columns ?? 100));
  return ExitCode.ok;
}

async function scoreSource(options: CalibrateOptions, stop: AbortSignal): Promise<ScoreSource> {
  const { auditor: named, ownSchedule, log, concurrency = 4, deadlineMs = DEADLINE_MS, maxTurnMb } = options;
  if (log !== undefined && named === undefined) {
    throw new InputError({ file: log }, 'nobody is asked, so there is nothing to log', 'Give --auditor too');
  }
  const auditor = named === undefined ? undefined : await auditorNamed(named);
  return {
    auditor: auditor && (ownSchedule ? auditor : askedAtEveryTurn(auditor)),
    log,
    concurrency,
    deadlineMs,
    reading: {
      maxTurnBytes: maxTurnMb === undefined ? undefined : maxTurnMb * 2 ** 20,
      onWarning: (warning) => complain(`warning: ${warning}`),
    },
    progress: new Progress('runs audited', { isAlone: true }),
    stop,
  };
}

function calibrationOf(
  fit: Fit,
  { far, seed, confidence }: CalibrateOptions,
  auditor: string,
  { runs }: Gathered,
): CalibrationFile {
  return {
    version: CALIBRATION_VERSION,
    createdAt: new Date().toISOString(),
    auditor,
    thresholds: fit.thresholds,
    far,
    seed,
    runs: {
      shape: fit.shapeRuns,
      calibration: fit.calibrationRuns,
      exceeding: fit.exceeding,
      tasks: new Set(runs.map(({ task }) => task)).size,
    },
    interval: { confidence, ...fit.interval },
  };
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

function tooFew({ runs, far, auditor }: CalibrateOptions, there: number, missing: number): InputError {
  const needed = fewestRuns(far);
  const what = `holds ${there} healthy runs with scores; a false-alarm rate of ${far} cannot be promised from fewer than ${needed}`;
  const unscored = there === 0 && auditor === undefined ? ', recorded by an auditor that gives scores' : '';
  const remedy = `It needs ${missing} more${unscored}, and as many again to learn how scores depend on the step`;
  return new InputError({ file: runs.join(', ') }, what, remedy);
}

function otherPart(split: Part): Part {
  return split === 'train' ? 'test' : split === 'test' ? 'train' : 'all';
}

/** Thresholds always do well on the runs that they were made from. */
function refuseOverlap({ check = [] }: CalibrateOptions, healthy: Gathered, held: Gathered): void {
  const used = new Set(healthy.runs.map(({ runId }) => runId));
  const both = held.runs.filter(({ runId }) => used.has(runId));
  const [first] = both;
  const file = check.join(', ');
  if (first) {
    const what = `holds ${both.length} of the runs that the thresholds were made from, such as ${first.runId}`;
    throw new InputError({ file }, what, 'Check on other runs');
  }
  if (held.runs.length === 0)
    throw new InputError({ file }, 'holds no healthy run to check on', 'Check on other runs');
}

function stopped(log: string | undefined): number {
  complain(
    log === undefined
      ? 'stopped; with --log, a calibration can be taken up again'
      : `stopped; the same command goes on where ${log} ends`,
  );
  return ExitCode.interrupted;
}
