import path from 'node:path';
import { readAfTrajTestSplit } from '../../collectors/importers/aftraj-split.js';
import { detectFormat } from '../../collectors/importers/detect-format.js';
import { recordedRuns } from '../../collectors/importers/recorded-runs.js';
import { runFiles } from '../../collectors/importers/run-files.js';
import type { RecordedRun, RunLabel } from '../../collectors/recorded-run.js';
import { type Auditor, auditorName, InputError, type ReadOptions, uncalibrated } from '../../core/index.js';
import type { Progress } from '../progress.js';
import { reAudited } from '../re-audit.js';
import { loggedScores } from './logged-scores.js';
import { type RunScores, runScores } from './run-scores.js';

/** Which rows of a dataset with a published split; of files without one, all. */
export type Part = 'train' | 'test' | 'all';

export interface Wanted {
  /** `safe`: the healthy runs, and those of which nothing is known. `unsafe`: the labelled failed ones. */
  readonly label: RunLabel['kind'];
  readonly part: Part;
}

export interface ScoreSource {
  /** Audits the runs anew. Absent: their scores are read from the logs. */
  readonly auditor: Auditor | undefined;
  readonly log: string | undefined;
  readonly concurrency: number;
  readonly deadlineMs: number;
  /** What this very command writes; in a folder of runs it is none of them. */
  readonly written: readonly string[];
  readonly reading: ReadOptions;
  readonly progress: Progress;
  readonly stop: AbortSignal;
}

export interface LabelledScores extends RunScores {
  readonly label?: RunLabel | undefined;
}

export interface Gathered {
  readonly runs: readonly LabelledScores[];
  /** Runs that were passed over, by why. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** The scores of all wanted runs, from logs that hold them or by asking the auditor. @throws InputError */
export async function gatherScores(
  paths: readonly string[],
  wanted: Wanted,
  source: ScoreSource,
): Promise<Gathered> {
  const written = new Set(source.written.map((file) => path.resolve(file)));
  const files = (await runFiles(paths)).filter((file) => !written.has(path.resolve(file)));
  const leftOut: Record<string, number> = {};
  const leave = (why: string) => {
    leftOut[why] = (leftOut[why] ?? 0) + 1;
  };
  const runs: LabelledScores[] = [];
  const found = source.auditor ? audited(source.auditor) : logged();
  for await (const run of found) runs.push(run);
  return { runs, leftOut };

  async function* logged(): AsyncGenerator<LabelledScores> {
    for (const file of files) {
      if ((await detectFormat(file)) !== 'run-log') {
        const remedy = 'Say who shall give them, such as --auditor signals';
        throw new InputError({ file }, 'holds runs without scores', remedy);
      }
      for await (const run of loggedScores(file, source.reading)) {
        if ('leftOut' in run) leave(run.leftOut);
        else if (wanted.label === 'unsafe') leave('without a label');
        else yield run;
      }
    }
  }

  async function* audited(auditor: Auditor): AsyncGenerator<LabelledScores> {
    const { log, concurrency, deadlineMs, stop, progress } = source;
    const options = { auditor, log, concurrency, deadlineMs, stop, calibration: uncalibrated };
    const name = auditorName(auditor);
    for await (const { run, audits } of reAudited(chosen(), options)) {
      progress.advance();
      const scores = runScores({ runId: run.runId, task: run.task, auditor: name, audits });
      const failure = audits.failures[0]?.failure.kind;
      if (scores.scores.length > 0) yield { ...scores, label: run.label };
      else leave(failure === undefined ? 'without scores' : `without scores (${failure})`);
    }
  }

  async function* chosen(): AsyncGenerator<RecordedRun> {
    for (const file of files) {
      const testIds = file.endsWith('.parquet') ? await readAfTrajTestSplit(file) : undefined;
      for await (const run of recordedRuns(file, source.reading)) {
        const part = testIds?.has(run.runId) ? 'test' : 'train';
        const kind = run.label?.kind;
        if (testIds && wanted.part !== 'all' && part !== wanted.part) leave(`of the ${part} split`);
        else if (wanted.label === 'unsafe' && kind !== 'unsafe') leave(kind ? 'healthy' : 'without a label');
        else if (wanted.label === 'safe' && kind === 'unsafe') leave('failed');
        else yield withGivenTask(run);
      }
    }
  }
}

/** `12 cut off, 3 without scores`; nothing where no run was passed over. */
export function leftOutText({ leftOut }: Pick<Gathered, 'leftOut'>): string {
  return Object.entries(leftOut)
    .map(([why, number]) => `${number.toLocaleString('en')} ${why}`)
    .join(', ');
}

/** The task is given, as it is to a live session, and no auditor is asked about it. */
function withGivenTask(run: RecordedRun): RecordedRun {
  const [first, ...others] = run.turns;
  if (first?.kind !== 'user') return run;
  return { ...run, turns: [{ ...first, given: true }, ...others] };
}
