import { type LoggedRun, type ReadOptions, readRuns } from '../../core/index.js';
import { joined, type RunScores, runScores } from './run-scores.js';

/** Why a run of a log tells nothing about how high healthy scores reach. */
export type LeftOut =
  | 'without scores'
  | 'cut off'
  | 'failed or aborted'
  | 'stopped by a failed audit'
  | 'going on from one that is counted already or not there';

/**
 * The scores in a run log, run by run. A run that was interrupted is told with the one that took it up.
 * @throws InputError as `readRuns`
 */
export async function* loggedScores(
  file: string,
  options: ReadOptions,
): AsyncGenerator<RunScores | { readonly leftOut: LeftOut }> {
  const interrupted = new Map<string, RunScores>();
  for await (const logged of readRuns(file, options)) {
    const { runId, continues } = logged.run;
    const earlier = continues === undefined ? undefined : interrupted.get(continues);
    if (continues !== undefined && !earlier) {
      yield { leftOut: 'going on from one that is counted already or not there' };
      continue;
    }
    const own = scoresIn(logged);
    const scores = earlier ? joined(earlier, own) : own;
    if (continues !== undefined) interrupted.delete(continues);
    if (logged.outcome?.status === 'interrupted' && !scores.endedByAlarm) interrupted.set(runId, scores);
    else yield judged(logged, scores);
  }
  for (const _ of interrupted) yield { leftOut: 'cut off' };
}

function scoresIn({ run, turns, verdicts, failures }: LoggedRun): RunScores {
  const { runId, task, auditor } = run;
  return runScores({ runId, task, auditor, audits: { verdicts, failures }, lastTurnId: turns.at(-1)?.id });
}

function judged({ outcome }: LoggedRun, scores: RunScores): RunScores | { readonly leftOut: LeftOut } {
  if (scores.endedByAlarm) return scores;
  if (!outcome) return { leftOut: 'cut off' };
  if (outcome.status === 'halted' || outcome.status === 'paused')
    return { leftOut: 'stopped by a failed audit' };
  if (outcome.status !== 'completed') return { leftOut: 'failed or aborted' };
  return scores.scores.length === 0 ? { leftOut: 'without scores' } : scores;
}
