import type { RunAudits } from '../../collectors/recorded-run.js';
import type { Alarm } from '../../core/index.js';

/** What became of a run's verdict. `failed`: the new auditor raised no alarm, and at least one of its audits failed. */
export const CHANGES = ['same', 'new-alarm', 'lost-alarm', 'other-step', 'other-agent', 'failed'] as const;

export type Change = (typeof CHANGES)[number];

export const ANSWERS = ['continue', 'alarm', 'failure'] as const;

export type Answer = (typeof ANSWERS)[number];

/** One turn that both auditors were asked about. */
export interface TurnComparison {
  readonly step: number;
  readonly before: Answer;
  readonly now: Answer;
  /** New score less the recorded one, where both gave one. */
  readonly scoreShift?: number | undefined;
}

export interface AuditComparison {
  readonly change: Change;
  /** Both with steps in the run's final order. */
  readonly before: Alarm | undefined;
  readonly now: Alarm | undefined;
  readonly turns: readonly TurnComparison[];
  /** Turns that only one of the two was asked about. */
  readonly onlyBefore: number;
  readonly onlyNow: number;
}

/** Compares what was said of one run with what is said of it now; the first alarm of each is its last word. */
export function compareAudits(recorded: RunAudits, replayed: RunAudits): AuditComparison {
  const before = firstAlarm(recorded);
  const now = firstAlarm(replayed);
  const saidBefore = answers(recorded);
  const saidNow = answers(replayed);
  const turns = [...saidNow].flatMap(([step, { answer, score }]) => {
    const earlier = saidBefore.get(step);
    if (!earlier) return [];
    const scoreShift = score === undefined || earlier.score === undefined ? undefined : score - earlier.score;
    return [{ step, before: earlier.answer, now: answer, scoreShift }];
  });
  return {
    change: changeOf(before, now, replayed.failures.length > 0),
    before,
    now,
    turns,
    onlyBefore: saidBefore.size - turns.length,
    onlyNow: saidNow.size - turns.length,
  };
}

function changeOf(before: Alarm | undefined, now: Alarm | undefined, hasFailures: boolean): Change {
  if (!now) {
    if (hasFailures) return 'failed';
    return before ? 'lost-alarm' : 'same';
  }
  if (!before) return 'new-alarm';
  if (before.step !== now.step) return 'other-step';
  return before.agent === now.agent ? 'same' : 'other-agent';
}

function firstAlarm({ verdicts }: RunAudits): Alarm | undefined {
  const alarm = verdicts.find(({ verdict }) => verdict.kind === 'alarm')?.verdict;
  return alarm?.kind === 'alarm' ? alarm : undefined;
}

interface Said {
  readonly answer: Answer;
  readonly score?: number | undefined;
}

/** By step. */
function answers({ verdicts, failures }: RunAudits): Map<number, Said> {
  const said = new Map<number, Said>();
  for (const { step } of failures) said.set(step, { answer: 'failure' });
  for (const { step, verdict } of verdicts) said.set(step, { answer: verdict.kind, score: verdict.score });
  return said;
}
