import { type BaseMessage, isBaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { Command, type StateSnapshot } from '@langchain/langgraph';
import type { CompiledGraph } from './compiled-graph.js';
import type { Recovery } from './recovery.js';
import { messagesOf } from './run-input.js';
import type { TaskPlace } from './task.js';

/** How to run the graph again from before a step. */
export interface RewoundTo {
  /** The step that runs again: the blamed one, or the node around it, if what is inside keeps no checkpoints. */
  readonly place: TaskPlace;
  readonly input: Command | null;
  readonly configurable: Record<string, unknown>;
  /** The messages that stand in the checkpoint. */
  readonly known: readonly unknown[];
}

/**
 * Finds the checkpoint from which the blamed step ran, at the deepest level that has one, and adds the hint to the
 * conversation that the step will see. A graph that keeps no conversation is run again without a hint.
 * @returns nothing when no level has such a checkpoint, as under `durability: 'exit'`
 * @throws whatever the checkpointer throws
 */
export async function rewind(
  graph: CompiledGraph,
  threadId: string,
  { place: blamed, hint }: Recovery,
): Promise<RewoundTo | undefined> {
  for (let place: TaskPlace | undefined = blamed; place; place = place.outer) {
    const before = await checkpointBefore(graph, threadId, place);
    if (!before) continue;
    const known = messagesOf(before.values);
    if (place.outer === undefined) {
      const hinted = takesHint(graph, known, hint);
      const input = hinted ? new Command({ update: { messages: [hint] } }) : null;
      return { place, input, configurable: await copyOf(graph, before), known };
    }
    const { values } = await graph.getState({ configurable: { thread_id: threadId } });
    const edited = await withHint(graph, before, hint);
    const configurable = edited ? { ...edited.configurable } : await copyOf(graph, before);
    return { place, input: null, configurable, known: [...messagesOf(values), ...known] };
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
  // Two levels down, LangGraph gives the level between a new checkpoint, and so the task another id than it looks for.
  if (levels.length > 1) return undefined;
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

/** Whether `messages` is a conversation that a message can be added to, by what its own reducer makes of it. */
function takesHint(
  { channels }: CompiledGraph,
  conversation: readonly unknown[],
  hint: BaseMessage,
): boolean {
  const { operator, reducer = operator } = channels['messages'] ?? {};
  if (typeof reducer !== 'function' || !conversation.every((message) => isBaseMessage(message))) return false;
  try {
    return isExtended(conversation, reducer([...conversation], [hint]), hint);
  } catch {
    return false;
  }
}

function isExtended(before: readonly unknown[], after: unknown, { id }: BaseMessage): boolean {
  if (!Array.isArray(after) || after.length !== before.length + 1) return false;
  const idOf = (message: unknown) => (isBaseMessage(message) ? message.id : undefined);
  return before.every((message, at) => idOf(message) === idOf(after[at])) && idOf(after.at(-1)) === id;
}

/** An update from outside counts as the last node's word, whose edges are then walked again: they must lead to the same step. */
async function withHint(
  graph: CompiledGraph,
  before: StateSnapshot,
  hint: BaseMessage,
): Promise<RunnableConfig | undefined> {
  const conversation = messagesOf(before.values);
  if (conversation.length === 0 || !conversation.every((message) => isBaseMessage(message))) return undefined;
  try {
    const edited = await graph.updateState(before.config, { messages: [hint] });
    const { next, values } = await graph.getState(edited);
    const isSameStep = next.join() === before.next.join();
    return isSameStep && isExtended(conversation, messagesOf(values), hint) ? edited : undefined;
  } catch {
    return undefined; // several nodes spoke last, and LangGraph cannot tell whose word it is
  }
}
