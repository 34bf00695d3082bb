import type { Auditor, AuditRequest } from '../../core/auditor.js';
import type { Diagnostic } from '../../core/diagnostics.js';
import type { AuditRecord } from '../../core/record.js';
import { memoryRecorder } from '../../core/recorders/memory-recorder.js';
import type { RunInfo } from '../../core/run-info.js';
import { createRuntime, type Runtime, type RuntimeOptions } from '../../core/runtime.js';
import { everyTurn } from '../../core/schedule.js';
import type { AuditSession } from '../../core/session.js';
import type { TurnInput } from '../../core/turn.js';
import type { PathSegment } from '../../core/turn-path.js';
import type { Alarm } from '../../core/verdict.js';

/** One session, asked about at every turn, with everything that it says caught. */
export interface AuditedRun {
  readonly runtime: Runtime;
  readonly session: AuditSession;
  readonly records: readonly AuditRecord[];
  readonly diagnostics: readonly Diagnostic[];
  /** The records of one type, in order. */
  of<Type extends AuditRecord['type']>(type: Type): Extract<AuditRecord, { type: Type }>[];
}

export function auditedRun(
  audit: Auditor['audit'],
  options: Partial<RuntimeOptions> = {},
  info: Partial<RunInfo> = {},
): AuditedRun {
  const { records, ...recorder } = memoryRecorder();
  const diagnostics: Diagnostic[] = [];
  const runtime = createRuntime({
    auditor: { audit },
    schedule: everyTurn(),
    recorder,
    diagnostics: { report: (diagnostic) => diagnostics.push(diagnostic) },
    ...options,
  });
  const session = runtime.openSession({ runId: 'run', task: 'Sum 1 and 2.', ...info });
  return {
    runtime,
    session,
    records,
    diagnostics,
    of: <Type extends AuditRecord['type']>(type: Type) =>
      records.filter((record): record is Extract<AuditRecord, { type: Type }> => record.type === type),
  };
}

export const approve = async (): Promise<{ kind: 'continue' }> => ({ kind: 'continue' });

export const says = (content: string, more: Partial<TurnInput> = {}): TurnInput => ({
  agent: 'solver',
  kind: 'agent',
  content,
  ...more,
});

export const at = (step: number, lane: string): PathSegment => ({ step, lane });

export const alarmAt = (step: number, agent = 'solver', reason = 'the sum is wrong'): Alarm => ({
  kind: 'alarm',
  step,
  agent,
  reason,
});

/** Raises its alarm on the newest turn when that one says `words`. */
export function alarmOn(words: string): Auditor['audit'] {
  return ({ prefix }: AuditRequest) =>
    prefix.newest.content === words
      ? alarmAt(prefix.length - 1, prefix.newest.agent)
      : { kind: 'continue' as const };
}

/** A promise that is settled from outside, to hold an audit or a write open. */
export interface Gateway {
  readonly opened: Promise<void>;
  open(): void;
}

export function gateway(): Gateway {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Lets everything run that waits for no timer and no disk. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
