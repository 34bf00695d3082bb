import { randomUUID } from 'node:crypto';
import { messageOf, type Runtime } from '../../core/index.js';
import type { CompiledGraph, InvokeOptions } from './compiled-graph.js';
import type { EarlierRun } from './earlier-run.js';
import { endRun } from './end-run.js';
import type { Invocation } from './invocation.js';
import { answered } from './pending-questions.js';
import { rewind } from './rewind.js';
import { isResume } from './run-input.js';
import type { RunTree } from './run-tree.js';
import { savedPast } from './saved-past.js';
import type { Thread } from './thread-runs.js';
import { watched } from './watched.js';

/** What an audited graph shares with its hook. */
export interface AuditParts {
  readonly runtime: Runtime;
  readonly tree: RunTree;
  /** The hooked graph's, if it is an agent of `createAgent`. */
  readonly agentName: string | undefined;
}

/** How an invocation is made, and made again after going back. */
interface Attempt {
  readonly input: unknown;
  readonly options: InvokeOptions;
  readonly earlier: EarlierRun | undefined;
  readonly standing: Invocation['standing'];
}

/**
 * What no callback can do: give the hook a thread's saved past before a run begins, hand a human's answer to the
 * question that it belongs to, and run the graph again from before a blamed step. All ways to run a graph, and all that
 * is derived from it by `withConfig`, come through the one method that is replaced here, on the audited twin alone.
 */
export function auditInvocations<Graph extends CompiledGraph>(graph: Graph, parts: AuditParts): Graph {
  const stream = graph._streamIterator.bind(graph);
  const withConfig = graph.withConfig.bind(graph);
  graph._streamIterator = (input, options = {}) => {
    // Inside another graph, the outer one's invocation is the one that counts. It is announced all the same, so that the
    // hook can tell a graph that was hooked by itself from one that is seen through an outer one.
    const isInner = options.configurable?.['__pregel_read'] !== undefined;
    const thread = isInner ? undefined : threadIn(graph, options);
    if (!isInner && !thread) parts.tree.selfCheck.canOnlyHalt(parts.runtime.onAlarm);
    const attempt = { input, options, earlier: undefined, standing: undefined };
    const isPlain = !thread || (!isResume(input) && parts.runtime.onAlarm !== 'recover');
    return isPlain
      ? tried(stream, attempt, { thread, earlier: undefined }, parts)
      : audited(graph, stream, attempt, thread, parts);
  };
  graph.withConfig = (config) => auditInvocations(withConfig(config), parts);
  return graph;
}

/** One run of the graph, announced to the hook. */
function tried(
  stream: CompiledGraph['_streamIterator'],
  { input, options }: Attempt,
  invocation: Invocation,
  { tree }: AuditParts,
): AsyncGenerator<unknown> {
  const runId = options.runId ?? randomUUID();
  tree.announce(runId, invocation);
  // LangGraph tells callbacks nothing of some ends: of a stream that was left early, of an abort by a node of the run.
  const endUntold = async () => {
    unwatch();
    tree.invocation(runId);
    const { root } = tree.leave(runId);
    if (root) await endRun(tree, root, { status: 'aborted' });
  };
  const unwatch = () => options.signal?.removeEventListener('abort', endUntold);
  invocation.ended = unwatch;
  options.signal?.addEventListener('abort', endUntold, { once: true });
  return watched(stream(input, { ...options, runId }), endUntold);
}

/** A run that takes a thread up, or may go back: as many tries as it takes, in one stream. */
async function* audited(
  graph: CompiledGraph,
  stream: CompiledGraph['_streamIterator'],
  called: Attempt,
  thread: Thread,
  parts: AuditParts,
): AsyncGenerator<unknown> {
  let attempt: Attempt | undefined = await takenUp(graph, called, thread, parts);
  while (attempt) {
    const { options, earlier, standing }: Attempt = attempt;
    const invocation: Invocation = { thread, earlier, standing };
    try {
      return yield* tried(stream, attempt, invocation, parts);
    } catch (error) {
      attempt = await again(graph, options, invocation, thread, parts);
      if (!attempt) throw error;
    }
  }
}

/** What a thread that is taken up, or rewound, has behind it. */
async function takenUp(
  graph: CompiledGraph,
  anew: Attempt,
  thread: Thread,
  { runtime, tree, agentName }: AuditParts,
): Promise<Attempt> {
  const { input, options } = anew;
  const configurable = { ...graph.config?.configurable, ...options.configurable };
  if (!isResume(input)) return anew;
  try {
    const rewinds = configurable['checkpoint_id'] !== undefined;
    const known = rewinds ? undefined : tree.threads.get(thread);
    const earlier = known ?? (await savedPast(graph, { configurable }, agentName));
    return { options, ...answered(input, await graph.getState({ configurable }), earlier) };
  } catch (cause) {
    // A past that cannot be read is worth a report, not the run.
    runtime.diagnostics.report({ code: 'past-unreadable', message: messageOf(cause), cause });
    return anew;
  }
}

/** The next try of a run that is to go back; nothing when it is not, or cannot. */
async function again(
  graph: CompiledGraph,
  options: InvokeOptions,
  { run }: Invocation,
  thread: Thread,
  { runtime }: AuditParts,
): Promise<Attempt | undefined> {
  const recovery = run?.recovery();
  if (!recovery) return undefined;
  try {
    const to = await rewind(graph, thread.id, recovery);
    if (!to)
      throw new Error(
        'no checkpoint from before it was found: LangGraph saves one per step unless durability is "exit"',
      );
    const configurable = { ...options.configurable, ...to.configurable };
    return {
      input: to.input,
      options: { ...options, runId: randomUUID(), configurable },
      earlier: recovery.earlierAt(to.place, to.known),
      standing: undefined,
    };
  } catch (cause) {
    const message = `the blamed step cannot be done again, so the run is halted: ${messageOf(cause)}`;
    runtime.diagnostics.report({ code: 'cannot-recover', message, cause });
    return undefined;
  }
}

/** LangGraph takes any id; it is kept as text, as checkpointers keep it. */
function threadIn({ config, checkpointer }: CompiledGraph, options: InvokeOptions): Thread | undefined {
  const id = { ...config?.configurable, ...options.configurable }['thread_id'];
  const isKept = typeof checkpointer === 'object' && checkpointer !== null;
  return isKept && (typeof id === 'string' || typeof id === 'number')
    ? { checkpointer, id: String(id) }
    : undefined;
}
