import { type LoggedRun, type ReadOptions, readRuns } from '../../core/index.js';
import { quirksOf } from '../quirks/check.js';
import { runChecks } from '../quirks/run-checks.js';
import type { Quirk, RecordedAudit, RecordedRun } from '../recorded-run.js';

/** The runs of our own log. `given` turns stay given: they were judged elsewhere, or by a human who overrode an alarm. */
export async function* readRunLog(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  for await (const logged of readRuns(path, options)) {
    const { run, line, turns } = logged;
    const recorded = {
      runId: run.runId,
      source: `${path}:${line}`,
      task: run.task,
      tools: run.tools,
      turns,
      domain: run.framework,
      label: undefined,
    };
    yield {
      ...recorded,
      recorded: recordedAudit(logged),
      quirks: [...logQuirks(logged), ...quirksOf(runChecks, recorded)],
    };
  }
}

function recordedAudit({ run, verdicts, failures }: LoggedRun): RecordedAudit {
  const alarms = verdicts.flatMap(({ verdict, enforced }) =>
    verdict.kind === 'alarm' ? [{ ...verdict, enforced }] : [],
  );
  return { auditor: run.auditor, alarm: alarms[0], failures: failures.length };
}

function logQuirks({ outcome, incomplete }: LoggedRun): Quirk[] {
  const quirks: Quirk[] = [];
  if (!outcome)
    quirks.push({
      code: 'cut-off',
      detail: 'the log ends before the run does: the process died, or is still at work',
    });
  if (incomplete)
    quirks.push({
      code: 'turns-missing',
      detail: 'some of its lines are not in the log; later steps are renumbered',
    });
  return quirks;
}
