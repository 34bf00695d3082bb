import type { Outcome } from '../../core/index.js';
import type { GraphAuditHalt } from './halt.js';
import type { Root, RunTree } from './run-tree.js';

/** After these ends nothing of the run may start any more; branches beside a failed one go on as they would without us. */
const CUT_SHORT: ReadonlySet<Outcome['status']> = new Set(['aborted', 'interrupted']);

/** The root graph has come to its end. @returns what its caller must get instead of a result, if the run was halted */
export async function endRun(
  tree: RunTree,
  { run, thread, ended }: Root,
  outcome: Outcome,
): Promise<GraphAuditHalt | undefined> {
  ended?.();
  run.gate.end(outcome);
  const halt = run.hasBegun ? await run.end(outcome) : undefined;
  tree.leaveAll(run, halt !== undefined || CUT_SHORT.has(outcome.status));
  if (run.hasBegun && thread !== undefined) {
    tree.threads.set(thread, run.asEarlier(!halt && outcome.status === 'completed'));
  }
  return halt;
}
