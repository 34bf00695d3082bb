import type { Alarm, AuditNote, FailureRecord, LoggedRun, Turn, VerdictRecord } from '../../core/index.js';

/** The audit that gave a run its last word. */
export interface RaisedAlarm {
  readonly record: VerdictRecord;
  /** Its step in the run's final order. */
  readonly alarm: Alarm;
  /** The turn that was judged when it was raised, if the log has it. */
  readonly raisedAt: Turn | undefined;
}

/** The first alarm that counts: one that a human had overridden does not. */
export function raisedAlarm({ run, turns, verdicts }: LoggedRun): RaisedAlarm | undefined {
  for (const record of verdicts) {
    const { verdict, enforced, turnId, alarmTurnId } = record;
    if (verdict.kind !== 'alarm' || (enforced === 'proceed' && run.onAlarm !== 'observe')) continue;
    const blamed = turns.find(({ id }) => id === alarmTurnId);
    const raisedAt = turns.find(({ id }) => id === turnId);
    return { record, raisedAt, alarm: { ...verdict, step: blamed?.index ?? verdict.step } };
  }
  return undefined;
}

/** The turns that are the run's own, and not those of a run that it continues, or a chat's past. */
export function ownTurns({ turns }: LoggedRun): readonly Turn[] {
  return turns.filter(({ given }) => given !== true);
}

/** Verdicts and failures. */
export function auditsOf({ verdicts, failures }: LoggedRun): readonly (VerdictRecord | FailureRecord)[] {
  return [...verdicts, ...failures];
}

/** Everything that auditors told beside their verdicts, in time or later, with the turn it is about. */
export function* notesOf(
  run: Pick<LoggedRun, 'verdicts' | 'failures' | 'notes'>,
): Generator<{ readonly turnId: string; readonly note: AuditNote }> {
  for (const record of [...run.verdicts, ...run.failures])
    for (const note of record.notes ?? []) yield { turnId: record.turnId, note };
  for (const { turnId, note } of run.notes) yield { turnId, note };
}
