import type { AuditNote, ModelCall, Opinion } from '../../core/audit-note.js';
import type { AuditOptions, Auditor } from '../../core/auditor.js';
import { everyTurn, type Schedule } from '../../core/schedule.js';
import { Trajectory } from '../../core/trajectory.js';
import type { Verdict } from '../../core/verdict.js';

/** An auditor with a name, asked at every turn unless it says otherwise, that counts how often it was asked. */
export interface Named extends Auditor {
  readonly name: string;
  asked: number;
}

export function named(name: string, reply: unknown, schedule: Schedule = everyTurn()): Named {
  const auditor: Named = {
    name,
    schedule,
    asked: 0,
    audit(request, options) {
      auditor.asked++;
      if (reply instanceof Error) throw reply;
      return (typeof reply === 'function' ? reply(request, options) : reply) as Verdict;
    },
  };
  return auditor;
}

/** A call as a chat auditor tells of it. */
export const call = (more: Partial<ModelCall> = {}): ModelCall => ({
  type: 'call',
  purpose: 'verdict',
  model: 'judge',
  attempts: 1,
  inputTokens: 90,
  outputTokens: 10,
  durationMs: 5,
  ...more,
});

/** Tells these notes, and then gives its verdict. */
export const telling =
  (verdict: unknown, ...notes: unknown[]): Auditor['audit'] =>
  (_, { note }) => {
    for (const told of notes) note?.(told as never);
    return verdict as never;
  };

/** Asks an auditor about two turns, the task and a `solver`'s word, outside of any session. */
export async function askOnce(auditor: Auditor, options: Partial<AuditOptions> = {}) {
  const trajectory = new Trajectory();
  trajectory.append({ id: 't0', agent: 'user', kind: 'user', content: 'Sum 1 and 2.', path: [], at: 0 });
  const prefix = trajectory.append({
    id: 't1',
    agent: 'solver',
    kind: 'agent',
    content: '3',
    path: [],
    at: 0,
  });
  const notes: AuditNote[] = [];
  const promised: Promise<unknown>[] = [];
  const note = (given: AuditNote | Promise<AuditNote>) => {
    if (given instanceof Promise) promised.push(given.then((late) => notes.push(late)));
    else notes.push(given);
  };
  const request = { runId: 'run', task: 'Sum 1 and 2.', tools: [], prefix };
  const outcome = await Promise.resolve()
    .then(() => auditor.audit(request, { signal: new AbortController().signal, note, ...options }))
    .then(
      (verdict) => ({ verdict, error: undefined }),
      (error: unknown) => ({ verdict: undefined, error }),
    );
  return {
    ...outcome,
    notes,
    promised: () => Promise.all(promised),
    opinions: () => notes.filter((told): told is Opinion => told.type === 'opinion'),
  };
}
