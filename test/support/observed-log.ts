import path from 'node:path';
import {
  type AuditError,
  type AuditNote,
  type Auditor,
  createRuntime,
  jsonlRecorder,
  type Outcome,
  type RuntimeOptions,
  type TurnInput,
  type Verdict,
} from '../../core/index.js';

/** What the auditor does at a turn, found by the turn's content. */
export interface Says {
  readonly verdict?: Verdict;
  readonly failure?: AuditError;
  readonly notes?: readonly AuditNote[];
}

export interface ObservedRun {
  readonly turns: readonly TurnInput[];
  readonly outcome?: Outcome;
}

/** An auditor for logs: a Continue with a score of 0.1 where nothing else is said. */
export function sayingAuditor(says: Readonly<Record<string, Says>>): Auditor {
  return {
    name: 'judge',
    audit({ prefix }, { note }) {
      const { verdict, failure, notes = [] } = says[prefix.newest.content] ?? {};
      for (const one of notes) note?.(one);
      if (failure) throw failure;
      return verdict ?? { kind: 'continue', score: 0.1 };
    },
  };
}

/** A run log written by real sessions, one run after the other, in `observe` mode if nothing else is asked for. */
export async function observedLog(
  folder: string,
  runs: Readonly<Record<string, ObservedRun>>,
  says: Readonly<Record<string, Says>> = {},
  options: RuntimeOptions = {},
): Promise<string> {
  const file = path.join(folder, 'runs.jsonl');
  const recorder = jsonlRecorder(file);
  const diagnostics = { report() {} };
  const auditor = sayingAuditor(says);
  const runtime = createRuntime({ recorder, auditor, onAlarm: 'observe', diagnostics, ...options });
  for (const [runId, { turns, outcome }] of Object.entries(runs)) {
    const session = runtime.openSession({ runId, task: 'How many cups are left?' });
    for (const turn of turns) await session.submit(turn);
    await session.close(outcome ?? { status: 'completed' });
  }
  await recorder.close();
  return file;
}
