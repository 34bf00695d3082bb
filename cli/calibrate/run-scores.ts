import type { RunAudits } from '../../collectors/recorded-run.js';
import type { ScoredRun, StepScore } from '../../core/index.js';

/** A score, and the step that its alarm would blame: the auditor's own choice, else the newest turn's. */
export interface BlamingScore extends StepScore {
  readonly blames: number;
}

/** What was said of one run at every prefix, as numbers. */
export interface RunScores extends ScoredRun {
  readonly runId: string;
  readonly scores: readonly BlamingScore[];
  /** Whose scores they are. */
  readonly auditors: readonly string[];
  /** Audits that gave no verdict. */
  readonly failures: number;
}

interface AuditedRun {
  readonly runId: string;
  readonly task: string;
  /** Of the run as a whole; a verdict names its own where another was asked. */
  readonly auditor: string;
  readonly audits: Pick<RunAudits, 'verdicts' | 'failures'>;
  /** Absent where the run was walked to its end whatever was said. */
  readonly lastTurnId?: string | undefined;
}

export function runScores({ runId, task, auditor, audits, lastTurnId }: AuditedRun): RunScores {
  const { verdicts, failures } = audits;
  const scores = verdicts.flatMap(({ step, verdict, said = verdict }) => {
    const blames = said.kind === 'alarm' ? said.step : step;
    return verdict.score === undefined ? [] : [{ step, score: verdict.score, blames }];
  });
  return {
    runId,
    task,
    scores: scores.sort((one, other) => one.step - other.step),
    // An alarm that was only observed, on the last turn, has cut nothing off.
    endedByAlarm: verdicts.some(
      ({ verdict, enforced, turnId }) =>
        verdict.kind === 'alarm' && (enforced !== 'proceed' || turnId !== lastTurnId),
    ),
    auditors: [...new Set(verdicts.map((verdict) => verdict.auditor ?? auditor))],
    failures: failures.length,
  };
}

/** A run that was interrupted, to ask a human say, and the one that took it up. */
export function joined(earlier: RunScores, later: RunScores): RunScores {
  return {
    ...later,
    scores: [...earlier.scores, ...later.scores],
    endedByAlarm: earlier.endedByAlarm || later.endedByAlarm,
    auditors: [...new Set([...earlier.auditors, ...later.auditors])],
    failures: earlier.failures + later.failures,
  };
}
