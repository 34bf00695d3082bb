import type { RunnableConfig } from '@langchain/core/runnables';
import { Command, type StateSnapshot } from '@langchain/langgraph';
import type { CompiledGraph } from './compiled-graph.js';
import type { Recovery } from './recovery.js';
import type { TaskPlace } from './task.js';

/** How to run the graph again from before a step. */
export interface RewoundTo {
  /** The step that runs again: the blamed one, or the node around it, if what is inside keeps no checkpoints. */
  readonly place: TaskPlace;
  readonly input: Command | null;
  readonly configurable: Record<string, unknown>;
}

/**
 * Finds the checkpoint from which the blamed step ran, at the deepest level that has one, and adds the hint to the
 * conversation that the step will see. A graph without `messages` is run again without a hint.
 * @returns nothing when no level has such a checkpoint, as under `durability: 'exit'`
 */
export async function rewind(
  graph: CompiledGraph,
  threadId: string,
  { place: blamed, hint }: Recovery,
): Promise<RewoundTo | undefined> {
  for (let place: TaskPlace | undefined = blamed; place; place = place.outer) {
    const before = await checkpointBefore(graph, threadId, place);
    if (!before) continue;
    const hinted = 'messages' in Object(before.values);
    if (place.outer === undefined) {
      const input = hinted ? new Command({ update: { messages: [hint] } }) : null;
      return { place, input, configurable: await copyOf(graph, before) };
    }
    const edited = hinted ? await withHint(graph, before, hint) : undefined;
    const configurable = edited ? { ...edited.configurable } : await copyOf(graph, before);
    return { place, input: null, configurable };
  }
  return undefined;
}

/**
 * A copy of a checkpoint, without what has been done from there. From the newest checkpoint itself, LangGraph would take
 * up what is left of a step in which a branch was held back, and keep the blamed branch's result.
 */
async function copyOf(graph: CompiledGraph, { config }: StateSnapshot): Promise<Record<string, unknown>> {
  return { ...(await graph.updateState(config, null)).configurable };
}

/** The newest checkpoint whose next tasks include this one; a task's id is made from its checkpoint, so there is one line only. */
async function checkpointBefore(
  graph: CompiledGraph,
  threadId: string,
  { namespace }: TaskPlace,
): Promise<StateSnapshot | undefined> {
  const levels = namespace.split('|');
  const taskId = levels.pop()?.split(':').pop();
  if (!(await isDeclared(graph, levels))) return undefined;
  const configurable = { thread_id: threadId, checkpoint_ns: levels.join('|') };
  for await (const snapshot of graph.getStateHistory({ configurable })) {
    if (snapshot.tasks.some(({ id }) => id === taskId)) return snapshot;
  }
  return undefined;
}

/** LangGraph cannot read the history of a graph that is called inside a function: there the node around it is run again. */
async function isDeclared(graph: CompiledGraph, levels: readonly string[]): Promise<boolean> {
  if (levels.length === 0) return true;
  const nodes = levels.map((level) => level.split(':')[0]).join('|');
  for await (const _declared of graph.getSubgraphsAsync(nodes, true)) return true;
  return false;
}

/** An update from outside counts as the last node's word, whose edges are then walked again: they must lead to the same step. */
async function withHint(
  graph: CompiledGraph,
  before: StateSnapshot,
  hint: unknown,
): Promise<RunnableConfig | undefined> {
  try {
    const edited = await graph.updateState(before.config, { messages: [hint] });
    const { next } = await graph.getState(edited);
    return next.join() === before.next.join() ? edited : undefined;
  } catch {
    return undefined; // several nodes spoke last, and LangGraph cannot tell whose word it is
  }
}
