import { recordedRuns } from '../collectors/importers/recorded-runs.js';
import { runFiles, testRunIds } from '../collectors/importers/run-files.js';
import { CorpusQuirks } from '../collectors/quirks/corpus-checks.js';
import type { RecordedRun } from '../collectors/recorded-run.js';
import {
  createAuditor,
  InputError,
  readAuditorConfig,
  readCalibration,
  signalsAuditor,
} from '../core/index.js';
import { runAtLength, runInShort, summaryText } from './audit/print.js';
import { AuditReport } from './audit/report.js';
import { walk } from './audit/walk.js';
import type { AuditedRun } from './audited-run.js';
import { complain } from './complain.js';
import { ExitCode } from './exit-code.js';
import { Progress } from './progress.js';

export interface AuditOptions {
  /** File of an auditor's configuration. Default: the embedded signals auditor. */
  readonly auditor?: string;
  /** File of thresholds on its score, which then decide in place of its own word. */
  readonly calibration?: string;
  readonly json?: boolean;
  readonly timeline?: boolean;
  readonly run?: string;
  readonly failOnAlarm?: boolean;
  readonly keepGoing?: boolean;
  readonly maxTurnMb?: number;
}

/** `agentforesight audit`: walks recorded runs and prints what the auditor says of every step. */
export async function audit(
  paths: readonly string[],
  options: AuditOptions,
  stop: AbortSignal,
): Promise<number> {
  const auditor =
    options.auditor === undefined
      ? signalsAuditor()
      : createAuditor(await readAuditorConfig(options.auditor));
  const calibration =
    options.calibration === undefined ? undefined : await readCalibration(options.calibration);
  const files = await runFiles(paths);
  const keptForTesting = await testRunIds(files);
  const corpus = new CorpusQuirks({ testRunIds: keptForTesting });
  const report = new AuditReport(keptForTesting);
  const output = options.json ? jsonLines() : forPeople(options, process.stdout.columns ?? 160);
  const progress = new Progress('runs audited');
  let bad = 0;
  let matched = 0;
  for (const file of files) {
    try {
      for await (const run of recordedRuns(file, readOptions(options, count))) {
        if (stop.aborted) break;
        corpus.observe(run);
        if (options.run !== undefined && run.runId !== options.run) continue;
        matched++;
        const audited = await walk(run, auditor, calibration);
        report.add(run, audited);
        output.run(run, audited);
        progress.advance();
        await handleSignals();
      }
    } catch (error) {
      if (!(error instanceof InputError) || !options.keepGoing) throw error;
      count(error);
    }
    if (stop.aborted) break;
  }
  progress.end();
  if (options.run !== undefined && matched === 0 && !stop.aborted) {
    throw new InputError(
      { file: paths.join(', ') },
      `no run with id ${options.run}`,
      'Leave out --run to see the ids',
    );
  }
  const summary = report.summary(files.length, bad, corpus.quirks());
  output.end(summary);
  if (stop.aborted) return ExitCode.interrupted;
  if (bad > 0) return ExitCode.badInput;
  return options.failOnAlarm && summary.alarms > 0 ? ExitCode.alarm : ExitCode.ok;

  function count(error: InputError): void {
    bad++;
    complain(error.message);
  }
}

/** The walk of a quick auditor never leaves the microtask queue, where no signal is heard. */
function handleSignals(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function readOptions({ maxTurnMb, keepGoing }: AuditOptions, onBadLine: (error: InputError) => void) {
  return {
    maxTurnBytes: maxTurnMb === undefined ? undefined : maxTurnMb * 2 ** 20,
    onWarning: (warning: string) => complain(`warning: ${warning}`),
    onBadLine: keepGoing ? onBadLine : undefined,
  };
}

type Summary = ReturnType<AuditReport['summary']>;

interface Output {
  run(run: RecordedRun, audited: AuditedRun): void;
  end(summary: Summary): void;
}

/** One object a line: `{"run": …}` for each run, `{"summary": …}` at the end. */
function jsonLines(): Output {
  return {
    run(run, audited) {
      const verdict = audited.alarmed?.verdict;
      const steps = audited.steps.map(({ turn, verdict: said, failure, notes }) => ({
        step: turn.index,
        agent: turn.agent,
        kind: turn.kind,
        verdict: said?.kind ?? null,
        reason: said?.kind === 'alarm' ? said.reason : null,
        failure: failure ?? null,
        notes,
      }));
      const { runId, source, task, label, quirks } = run;
      const { audits: _, ...recorded } = run.recorded ?? { audits: undefined };
      const alarm = verdict?.kind === 'alarm' ? verdict : null;
      console.log(
        JSON.stringify({
          run: {
            runId,
            source,
            task,
            alarm,
            steps,
            label: label ?? null,
            recorded: run.recorded ? recorded : null,
            quirks,
          },
        }),
      );
    },
    end: (summary) => console.log(JSON.stringify({ summary })),
  };
}

/** The first run is held back until it is known whether it is the only one: then it deserves its whole timeline. */
function forPeople({ timeline, run: only }: AuditOptions, width: number): Output {
  const atLength = timeline === true || only !== undefined;
  let first: readonly [RecordedRun, AuditedRun] | undefined;
  let runs = 0;
  return {
    run(run, audited) {
      runs++;
      if (atLength) return console.log(runAtLength(run, audited, width));
      if (runs === 1) first = [run, audited];
      if (runs === 2 && first) console.log(runInShort(...first, width));
      if (runs > 1) console.log(runInShort(run, audited, width));
    },
    end(summary) {
      if (!atLength && runs === 1 && first) console.log(runAtLength(...first, width));
      console.log(`${atLength || runs <= 1 ? '' : '\n'}${summaryText(summary)}`);
    },
  };
}
