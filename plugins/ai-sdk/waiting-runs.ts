import type { AgentRun, PastRun, Runtime } from '../../core/index.js';
import { newestToolParts } from './messages.js';

/** A process may ask any number of humans who never answer. */
const MOST_WAITING = 1_000;

const waiting = new WeakMap<Runtime, Map<string, AgentRun>>();

/** @param approvals ids of what the run has asked; whoever sends an answer to one of them takes the run up */
export function rememberWaiting(approvals: Iterable<string>, run: AgentRun): void {
  const runs = waiting.get(run.runtime) ?? new Map<string, AgentRun>();
  waiting.set(run.runtime, runs);
  for (const approval of approvals) runs.set(approval, run);
  for (const oldest of runs.keys()) {
    if (runs.size <= MOST_WAITING) break;
    runs.delete(oldest);
  }
}

/** The run that asked what these messages answer. It is kept: a request may be sent again. */
export function waitingRun(messages: readonly unknown[], runtime: Runtime): PastRun | undefined {
  const runs = waiting.get(runtime);
  if (!runs) return undefined;
  const answer = newestToolParts(messages)
    .map(({ approvalId }) => String(approvalId))
    .find((approval) => runs.has(approval));
  return answer === undefined ? undefined : runs.get(answer)?.asPast();
}
