import type {
  CloseRecord,
  FailureRecord,
  NoteRecord,
  RunRecord,
  TurnRecord,
  VerdictRecord,
} from '../../core/record.js';
import type { Turn } from '../../core/turn.js';

/** Whole records of a run, as a session writes them. */
export const runRecord = (runId: string, more: Partial<RunRecord> = {}): RunRecord => ({
  v: 1,
  type: 'run',
  runId,
  at: 0,
  task: 'Sum 1 and 2.',
  tools: [],
  framework: 'manual',
  auditor: 'auditor',
  onAlarm: 'halt',
  onAuditFailure: 'proceed',
  ...more,
});

export const turnRecord = (runId: string, id: string, more: Partial<Turn> = {}): TurnRecord => ({
  v: 1,
  type: 'turn',
  runId,
  at: 0,
  turn: { id, index: 0, agent: 'solver', kind: 'agent', content: id, path: [], at: 0, ...more },
  due: true,
});

export const verdictRecord = (runId: string, turnId: string): VerdictRecord => ({
  v: 1,
  type: 'verdict',
  runId,
  at: 0,
  turnId,
  step: 0,
  durationMs: 1,
  verdict: { kind: 'continue' },
  enforced: 'proceed',
});

export const failureRecord = (runId: string, turnId: string): FailureRecord => ({
  v: 1,
  type: 'failure',
  runId,
  at: 0,
  turnId,
  step: 0,
  durationMs: 1,
  failure: { kind: 'threw', message: 'no credit' },
  enforced: 'proceed',
});

export const closeRecord = (
  runId: string,
  status: CloseRecord['outcome']['status'] = 'completed',
): CloseRecord => ({
  v: 1,
  type: 'close',
  runId,
  at: 0,
  outcome: { status },
});

export const noteRecord = (runId: string, turnId: string, note: NoteRecord['note']): NoteRecord => ({
  v: 1,
  type: 'note',
  runId,
  at: 0,
  turnId,
  step: 0,
  note,
});

/** As a recorder writes it when it opens a log with a torn end. */
export const recoveryRecord = { type: 'recovery', v: 1, at: 0 } as const;
