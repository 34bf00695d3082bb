import { recordedRuns } from '../collectors/importers/recorded-runs.js';
import { runFiles } from '../collectors/importers/run-files.js';
import type { RecordedRun } from '../collectors/recorded-run.js';
import { auditorName, createAuditor, InputError, readAuditorConfig } from '../core/index.js';
import { complain } from './complain.js';
import { ExitCode } from './exit-code.js';
import { Progress } from './progress.js';
import { type ReAuditedRun, reAudited } from './re-audit.js';
import { refuseAsInput } from './refuse-as-input.js';
import { type AuditComparison, compareAudits } from './replay/compare-audits.js';
import { changeLine, summaryText } from './replay/print.js';
import { ReplayTally } from './replay/replay-tally.js';

export interface ReplayOptions {
  /** File of an auditor's configuration. */
  readonly auditor: string;
  readonly json?: boolean;
  readonly log?: string;
  readonly concurrency?: number;
  readonly deadlineMs?: number;
  readonly keepGoing?: boolean;
  readonly maxTurnMb?: number;
}

const NOTHING_SAID = { verdicts: [], failures: [], notes: [] };

/** `agentforesight replay`: audits recorded runs again with another auditor, and tells what it says otherwise. */
export async function replay(
  paths: readonly string[],
  options: ReplayOptions,
  stop: AbortSignal,
): Promise<number> {
  const { json, log, concurrency, deadlineMs, keepGoing, maxTurnMb } = options;
  const auditor = createAuditor(await readAuditorConfig(options.auditor));
  const files = await runFiles(paths);
  if (log !== undefined) refuseAsInput('--log', log, files);
  const name = auditorName(auditor);
  const tally = new ReplayTally(name);
  const progress = new Progress('runs replayed');
  const width = process.stdout.columns ?? 160;
  let bad = 0;
  for await (const replayed of reAudited(runsOf(files), { auditor, log, concurrency, deadlineMs, stop })) {
    const { run, audits, resumed } = replayed;
    const recorded = isAudited(run) ? run.recorded?.audits : undefined;
    const comparison = compareAudits(recorded ?? NOTHING_SAID, audits);
    tally.add(recorded, audits, comparison, resumed);
    if (json) console.log(JSON.stringify({ run: asJson(replayed, comparison, recorded !== undefined) }));
    else if (comparison.change !== 'same') console.log(changeLine(replayed, comparison, width));
    progress.advance();
  }
  progress.end();
  const summary = tally.summary(bad);
  console.log(json ? JSON.stringify({ summary }) : `${summary.runs > 0 ? '\n' : ''}${summaryText(summary)}`);
  if (stop.aborted) {
    complain(
      log === undefined
        ? 'stopped; with --log, a replay can be taken up again'
        : `stopped; the same command goes on where ${log} ends`,
    );
    return ExitCode.interrupted;
  }
  if (bad > 0) return ExitCode.badInput;
  if (summary.costNow.audits > 0 && !summary.hasVerdicts) {
    complain('every audit failed: no verdict could be had; see the failures above');
    return ExitCode.fault;
  }
  return ExitCode.ok;

  async function* runsOf(all: readonly string[]): AsyncGenerator<RecordedRun> {
    for (const file of all) {
      try {
        yield* recordedRuns(file, {
          maxTurnBytes: maxTurnMb === undefined ? undefined : maxTurnMb * 2 ** 20,
          onWarning: (warning) => complain(`warning: ${warning}`),
          onBadLine: keepGoing ? passOver : undefined,
        });
      } catch (error) {
        if (!(error instanceof InputError) || !keepGoing) throw error;
        passOver(error);
      }
    }
  }

  function passOver(error: InputError): void {
    bad++;
    complain(error.message);
  }
}

function isAudited({ recorded }: RecordedRun): boolean {
  return recorded !== undefined && recorded.audits.verdicts.length + recorded.audits.failures.length > 0;
}

function asJson({ run, audits, resumed }: ReAuditedRun, comparison: AuditComparison, isCompared: boolean) {
  const { change, before, now, ...turns } = comparison;
  const { runId, source, task, recorded } = run;
  return {
    runId,
    source,
    task,
    change: isCompared ? change : null,
    before: before ? { auditor: recorded?.auditor, ...before } : null,
    now: now ?? null,
    ...turns,
    failures: audits.failures.map(({ step, failure }) => ({ step, ...failure })),
    resumed,
  };
}
