import { randomUUID } from 'node:crypto';
import {
  AuditHalt,
  type AuditSession,
  type Decision,
  outcomeAfter,
  type Plugin,
  type Runtime,
  requireRuntime,
  SetupError,
  type TurnInput,
} from '../../core/index.js';

/**
 * Tells the auditor of one turn and waits for its word.
 * @throws AuditHalt when the run must not go on, now or at any later turn
 */
export type Report = (turn: TurnInput) => Promise<void>;

/** A hand-written agent loop: it gets the task, and reports each turn before it acts on it. */
export type Loop<Result> = (task: string, report: Report) => Promise<Result>;

/** The audited loop: the same, but it needs nobody to report to. */
export type AuditedLoop<Result> = (task: string) => Promise<Result>;

export const manualPlugin: Plugin<Loop<unknown>, AuditedLoop<unknown>> = {
  framework: 'manual',
  hook: withAuditor,
};

/**
 * The reference plugin, for a loop that you wrote yourself. Every call of the audited loop is a run of its own.
 *
 * @example
 * const solve = withAuditor(async (task, report) => {
 *   const plan = await planner(task);
 *   await report({ agent: 'planner', kind: 'agent', content: plan });
 *   return solver(plan);
 * }, createRuntime());
 * await solve('What is 17 * 23?');
 * @throws SetupError for something that is no function
 */
export function withAuditor<Result>(loop: Loop<Result>, runtime: Runtime): AuditedLoop<Result> {
  if (typeof loop !== 'function') {
    throw new SetupError('manual', 'this is no loop', 'Pass an async function (task, report) => result');
  }
  requireRuntime('manual', runtime);
  return async (task) => {
    const session = runtime.openSession({ runId: randomUUID(), task, framework: 'manual' });
    let result: Result;
    try {
      result = await loop(task, (turn) => reported(session.submit(turn)));
    } catch (error) {
      await endAfter(error, session);
      throw error;
    }
    haltUnlessProceed(await session.close({ status: 'completed' }));
    return result;
  };
}

/** A report that nobody awaits must not bring the process down: the next one halts all the same. */
function reported(decision: Promise<Decision>): Promise<void> {
  const report = decision.then(haltUnlessProceed);
  report.catch(() => {});
  return report;
}

/** @throws AuditHalt for a loop that wrapped the halt in an error of its own; an abort is the caller's own doing */
async function endAfter(error: unknown, session: AuditSession): Promise<void> {
  const outcome = outcomeAfter(error);
  const decision = await session.close(outcome);
  if (outcome.status === 'failed' && decision.action !== 'proceed') {
    throw Object.assign(new AuditHalt(decision.halt), { cause: error });
  }
}

function haltUnlessProceed(decision: Decision): void {
  if (decision.action !== 'proceed') throw new AuditHalt(decision.halt);
}
