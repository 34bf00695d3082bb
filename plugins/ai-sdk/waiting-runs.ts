import type { AgentRun, PastRun, Runtime } from '../../core/index.js';
import { isPart, partsOf } from './messages.js';

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
  const answer = answeredApprovals(messages.slice(-1)).find((approval) => runs.has(approval));
  return answer === undefined ? undefined : runs.get(answer)?.asPast();
}

/** Ids of the approvals that were given or denied. */
export function answeredApprovals(messages: readonly unknown[]): string[] {
  return messages
    .filter(isPart)
    .flatMap(partsOf)
    .flatMap((part) => (part['type'] === 'tool-approval-response' ? [String(part['approvalId'])] : []));
}
