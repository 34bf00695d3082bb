import type { RecordedRun } from '../../collectors/recorded-run.js';
import {
  type Auditor,
  type AuditRequest,
  auditorName,
  type Calibration,
  createRuntime,
  everyTurn,
  inspect,
  memoryRecorder,
  type TurnInput,
} from '../../core/index.js';
import { type AuditedRun, auditedRun } from '../audited-run.js';

/**
 * Walks a recorded run as if it ran now: turn by turn through a real session, each prefix judged before the next turn is
 * shown, until the first alarm or the end. The label and everything else beyond the prefix stay out of sight.
 */
export async function walk(
  run: RecordedRun,
  auditor: Auditor,
  calibration?: Calibration,
): Promise<AuditedRun> {
  const recorder = memoryRecorder();
  const notes = new Map<string, readonly string[]>();
  const runtime = createRuntime({
    auditor: noting(auditor, notes),
    recorder,
    onAlarm: 'observe',
    ...(calibration && { calibration }),
  });
  const session = runtime.openSession({ runId: run.runId, task: run.task, tools: run.tools, given: [] });
  for (const turn of run.turns) await session.submit(placed(turn));
  await session.close({ status: 'completed' });
  return auditedRun(recorder.records, session.turns(), notes);
}

/** A recorded run has its final order: parallel branches were folded when it was read. */
function placed(turn: TurnInput): TurnInput {
  return { ...turn, path: [] };
}

/** Looks at every prefix that the auditor is shown, and keeps what stands out. */
function noting(auditor: Auditor, notes: Map<string, readonly string[]>): Auditor {
  return {
    name: auditorName(auditor),
    schedule: auditor.schedule ?? everyTurn(),
    audit(request: AuditRequest, options) {
      const { prefix, tools } = request;
      // A strong finding is the alarm itself.
      const beside = inspect(prefix, { tools }).filter(({ grade }) => grade !== 'strong');
      const found = beside.map(({ check, reason }) => `${check}: ${reason}`);
      if (found.length > 0) notes.set(prefix.newest.id, found);
      return auditor.audit(request, options);
    },
    asksInPart: (prefix) => auditor.asksInPart?.(prefix) ?? false,
  };
}
