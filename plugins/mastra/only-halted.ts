import { type AgentCall, type AgentRun, pathKey, type Stop } from '../../core/index.js';

/**
 * Runs of which nobody need say any more that an alarm could only halt them: it has been said, or the run is a
 * workflow's, which pauses or goes back where its agents cannot, and speaks for itself.
 */
const said = new WeakSet<AgentRun>();

export function needNotSay(run: AgentRun): void {
  said.add(run);
}

export function reportIfOnlyHalted({ action, halt }: Stop, run: AgentRun): void {
  if (action === 'halt' || said.has(run)) return;
  said.add(run);
  const message =
    action === 'pause'
      ? 'Mastra can pause an agent before a tool only, and the alarm came elsewhere: the run is halted'
      : 'Mastra can ask a model again for its last words only, and the alarm came elsewhere: the run is halted';
  run.runtime.diagnostics.report({ code: `cannot-${action}`, message, runId: halt.runId });
}

/** The blamed words are said again, if they were the agent's last. @returns false if not; that is said at most once */
export async function saysAgain(call: AgentCall, reason: string): Promise<boolean> {
  const { run } = call;
  if (said.has(run) && !blamesLastWords(call)) return false;
  const again = await call.redo(reason);
  if (!again) said.add(run); // core has said so
  return again;
}

function blamesLastWords({ run, path }: AgentCall): boolean {
  const key = pathKey(path);
  const last = run.asPast()?.turns.findLast((turn) => pathKey(turn.path) === key);
  return last !== undefined && last.id === run.blamedTurn;
}
