import { writeFileSync } from 'node:fs';
import { detectFormat } from '../collectors/importers/detect-format.js';
import { runFiles } from '../collectors/importers/run-files.js';
import { InputError, messageOf, readRuns } from '../core/index.js';
import { complain } from './complain.js';
import { ExitCode } from './exit-code.js';
import { Progress } from './progress.js';
import { refuseAsInput } from './refuse-as-input.js';
import { reportPage } from './report/html-page.js';
import { reportText } from './report/print.js';
import { ReportTally } from './report/report-tally.js';

export interface ReportOptions {
  readonly json?: boolean;
  /** Where to write the page. */
  readonly html?: string;
  /** Runs that began at or after, and before. */
  readonly since?: Date;
  readonly until?: Date;
  readonly keepGoing?: boolean;
  readonly maxTurnMb?: number;
}

/** Alarms that the page shows with the turns around them; the rest are counted. */
const SHOWN_ON_PAGE = 200;

/** `agentforesight report`: what the audits of run logs say, take, and miss. */
export async function report(
  paths: readonly string[],
  options: ReportOptions,
  stop: AbortSignal,
): Promise<number> {
  const { json, html, since, until, keepGoing, maxTurnMb } = options;
  const files = await runFiles(paths);
  if (html !== undefined) refuseAsInput('--html', html, files);
  const tally = new ReportTally(html === undefined ? 0 : SHOWN_ON_PAGE);
  const progress = new Progress('runs read');
  let bad = 0;
  for (const file of files) {
    try {
      await requireRunLog(file);
      for await (const logged of readRuns(file, {
        maxTurnBytes: maxTurnMb === undefined ? undefined : maxTurnMb * 2 ** 20,
        onWarning: (warning) => complain(`warning: ${warning}`),
        onBadLine: keepGoing ? passOver : undefined,
      })) {
        if (stop.aborted) break;
        const { at } = logged.run;
        if ((since && at < since.getTime()) || (until && at >= until.getTime())) continue;
        tally.add(logged, file);
        progress.advance();
      }
    } catch (error) {
      if (!(error instanceof InputError) || !keepGoing) throw error;
      passOver(error);
    }
    if (stop.aborted) break;
  }
  progress.end();
  const summary = tally.summary(files.length, bad);
  console.log(json ? JSON.stringify(summary) : reportText(summary, process.stdout.columns ?? 120));
  if (html !== undefined) {
    try {
      // Turns are redacted, but they are still users' words: as private as the log.
      writeFileSync(html, reportPage(summary, tally), { mode: 0o600 });
    } catch (cause) {
      complain(`${html} cannot be written: ${messageOf(cause)}`);
      return ExitCode.fault;
    }
  }
  if (stop.aborted) return ExitCode.interrupted;
  return bad > 0 ? ExitCode.badInput : ExitCode.ok;

  function passOver(error: InputError): void {
    bad++;
    complain(error.message);
  }
}

/** @throws InputError for runs of other formats, which nobody has audited */
async function requireRunLog(file: string): Promise<void> {
  if ((await detectFormat(file)) === 'run-log') return;
  throw new InputError(
    { file },
    'holds runs, and no audits of them',
    'Give a run log, as jsonlRecorder writes it, or audit these runs with agentforesight replay --log',
  );
}
