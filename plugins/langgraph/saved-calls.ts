import type { RunnableConfig } from '@langchain/core/runnables';
import type { CheckpointTuple } from '@langchain/langgraph';
import type { CompiledGraph } from './compiled-graph.js';

/** What a graph that a task's own code called has saved. */
export interface SavedCall {
  /** The node that it stands for, or that called it. */
  readonly node: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * The graph around it does not know a graph that is called inside a function, and cannot read its history; but its state
 * is saved under the task's namespace: `boss:<task>`, the second call's under `boss:<task>|1`, a sub-graph's under
 * `boss:<task>|scribe:<task>`.
 * @param task of a graph whose checkpoint `config` names @returns outer graphs first, whose messages the inner ones were given
 */
export async function calledBy(
  task: string,
  { checkpointer }: CompiledGraph,
  { configurable }: RunnableConfig,
): Promise<readonly SavedCall[]> {
  const { thread_id, checkpoint_ns: outer } = configurable ?? {};
  const namespace = outer ? `${outer}|${task}` : task;
  if (typeof checkpointer !== 'object') return [];
  // Most tasks call none, and one look tells; the list holds the checkpoints of the whole thread.
  if (!(await checkpointer.getTuple({ configurable: { thread_id, checkpoint_ns: namespace } }))) return [];
  const newest = new Map<string, CheckpointTuple>();
  for await (const saved of checkpointer.list({ configurable: { thread_id } })) {
    const own = String(saved.config.configurable?.['checkpoint_ns']);
    const known = newest.get(own);
    const isInside = own === namespace || own.startsWith(`${namespace}|`);
    if (isInside && (!known || known.checkpoint.id < saved.checkpoint.id)) newest.set(own, saved);
  }
  return [...newest]
    .sort(([one], [other]) => levels(one).length - levels(other).length)
    .map(([own, { checkpoint }]) => ({ node: nodeOf(own), values: checkpoint.channel_values }));
}

const levels = (namespace: string) => namespace.split('|');

/** The last level that names a node; the others count calls. */
function nodeOf(namespace: string): string {
  return (
    levels(namespace)
      .findLast((level) => level.includes(':'))
      ?.split(':')[0] ?? ''
  );
}
