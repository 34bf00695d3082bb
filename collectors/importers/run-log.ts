import {
  auditRecordSchema,
  type LoggedRun,
  type ReadOptions,
  type RunLog,
  readRuns,
} from '../../core/index.js';
import { quirksOf } from '../quirks/check.js';
import { runChecks } from '../quirks/run-checks.js';
import type { Quirk, RecordedAudit, RecordedRun, RunAudits } from '../recorded-run.js';
import type { Importer } from './importer.js';
import { fieldOf, isObject } from './json-object.js';

const recordTypes = new Set<unknown>(auditRecordSchema.options.map(({ shape }) => shape.type.value));

export const runLogImporter: Importer = {
  format: 'run-log',
  title: 'run logs',
  recognises: isRecord,
  read: readRunLog,
};

/** Whether this is a record of a run log, of whatever version. */
export function isRecord(value: unknown): boolean {
  return isObject(value) && recordTypes.has(fieldOf(value, 'type')) && 'v' in value;
}

/** The runs of our own log. `given` turns stay given: they were judged elsewhere, or by a human who overrode an alarm. */
export async function* readRunLog(log: RunLog, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  const name = typeof log === 'string' ? log : log.name;
  for await (const logged of readRuns(log, options)) {
    const { run, line, turns, outcome, incomplete, supersededBy, consent } = logged;
    const recorded = {
      runId: run.runId,
      source: `${name}:${line}`,
      task: run.task,
      tools: run.tools,
      turns,
      domain: run.framework,
      thread: run.thread,
      label: undefined,
    };
    yield {
      ...recorded,
      recorded: recordedAudit(logged),
      life: { outcome: outcome?.status, incomplete, supersededBy, consent },
      quirks: [...logQuirks(logged), ...quirksOf(runChecks, recorded)],
    };
  }
}

function recordedAudit(logged: LoggedRun): RecordedAudit {
  const audits = inFinalOrder(logged);
  const alarms = audits.verdicts.flatMap(({ verdict, enforced }) =>
    verdict.kind === 'alarm' ? [{ ...verdict, enforced }] : [],
  );
  return { auditor: logged.run.auditor, alarm: alarms[0], failures: audits.failures.length, audits };
}

/** A record's steps count in the prefix of its moment; side-by-side branches may since have been renumbered. */
function inFinalOrder({ turns, verdicts, failures, notes }: LoggedRun): RunAudits {
  const steps = new Map(turns.map(({ id, index }) => [id, index]));
  const placed = <Judged extends { readonly turnId: string; readonly step: number }>(
    record: Judged,
  ): Judged => ({
    ...record,
    step: steps.get(record.turnId) ?? record.step,
  });
  return {
    verdicts: verdicts.map((record) => {
      const { verdict, alarmTurnId = '' } = record;
      if (verdict.kind === 'continue') return placed(record);
      return placed({ ...record, verdict: { ...verdict, step: steps.get(alarmTurnId) ?? verdict.step } });
    }),
    failures: failures.map(placed),
    notes: notes.map(placed),
  };
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
