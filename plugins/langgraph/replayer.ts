import { randomUUID } from 'node:crypto';
import { AIMessage } from '@langchain/core/messages';
import { isCommand } from '@langchain/langgraph';
import {
  createRuntime,
  memoryRecorder,
  messageOf,
  type Replay,
  type Replayer,
  type ReplayRequest,
  Trajectory,
  type Turn,
  type TurnInput,
} from '../../core/index.js';
import { type CompiledGraph, compiledGraphOf, type InvokeOptions } from './compiled-graph.js';
import { asMessage, messageFields } from './messages.js';
import { messagesOf } from './run-input.js';
import { type SavedStep, savedStep } from './saved-step.js';
import { type LangGraphHost, withAuditor } from './with-auditor.js';

export interface ReplayerOptions {
  /**
   * How the recorded run was invoked. Default: its thread, `{ configurable: { thread_id } }`. Give what the graph needs besides,
   * such as a context.
   */
  readonly configOf?: ((request: ReplayRequest) => InvokeOptions | undefined) | undefined;
}

/**
 * Replays recorded runs of a graph from another turn on, with the graph's real nodes, models and tools: whatever they do to
 * the world is done again, so give a graph whose tools may be used so. The run's thread is left as it was: the checkpoint is
 * copied into a thread of its own, the turn is put in as what its node has said, and the graph goes on from there.
 * @param graph as it was when the runs were recorded, with the checkpointer that has their checkpoints
 */
export function langGraphReplayer(
  graph: LangGraphHost,
  { configOf = threadOf }: ReplayerOptions = {},
): Replayer {
  const compiled = compiledGraphOf(graph);
  return {
    async replay(request, signal) {
      const config = configOf(request);
      if (!config) return { refused: 'the run has no thread, so its checkpoints cannot be found' };
      const saver = compiled.checkpointer;
      if (typeof saver !== 'object') return { refused: 'the graph has no checkpointer' };
      const place = await savedStep(compiled, config, request.turns, request.step);
      if (typeof place === 'string') return { refused: place };
      const output = outputWith(place, request);
      if (typeof output === 'string') return { refused: output };
      const thread = `replay-${randomUUID()}`;
      const own = {
        ...config,
        configurable: { ...config.configurable, thread_id: thread, checkpoint_id: undefined },
        signal,
      };
      try {
        await copyCheckpoint(saver, place, thread);
        await compiled.updateState(own, output, place.node);
        return await goOn(graph, own, request);
      } finally {
        await saver.deleteThread?.(thread);
      }
    },
  };
}

function threadOf({ thread }: ReplayRequest): InvokeOptions | undefined {
  return thread === undefined ? undefined : { configurable: { thread_id: thread } };
}

type Saver = Exclude<CompiledGraph['checkpointer'], boolean | undefined>;

async function copyCheckpoint(saver: Saver, { snapshot }: SavedStep, thread: string): Promise<void> {
  const saved = await saver.getTuple(snapshot.config);
  if (!saved) throw new Error('the checkpoint is gone');
  const { checkpoint, metadata } = saved;
  const config = { configurable: { thread_id: thread, checkpoint_ns: '' } };
  await saver.put(
    config,
    checkpoint,
    metadata ?? { source: 'fork', step: -1, parents: {} },
    checkpoint.channel_versions,
  );
}

/** What the node gave, with the turn in the place of the one that it said; or why that cannot be. */
function outputWith({ output }: SavedStep, { turns, step, turn }: ReplayRequest): unknown {
  if (isCommand(output) || (Array.isArray(output) && output.some((item) => isCommand(item))))
    return 'its step chose the next node by a Command';
  const original = turns[step] as TurnInput;
  if (original.kind === 'state') return parsedState(turn.content);
  const messages = messagesOf(output);
  const at = messages.findIndex((raw) => {
    const message = asMessage(raw);
    return message && messageFields(message)?.content === original.content;
  });
  if (at < 0) return 'its step did not give it as a message';
  const said = asMessage(messages[at]);
  return { ...(output as object), messages: messages.with(at, messageFor(turn, said)) };
}

function parsedState(content: string): unknown {
  try {
    const state: unknown = JSON.parse(content);
    if (typeof state === 'object' && state !== null && !Array.isArray(state)) return state;
  } catch {
    // Said below.
  }
  return 'the turn is a state update, and what stands in its place is no JSON object';
}

function messageFor(
  { content, thought, toolCalls = [] }: TurnInput,
  said: ReturnType<typeof asMessage>,
): AIMessage {
  return new AIMessage({
    content,
    ...(said?.id !== undefined && { id: said.id }),
    ...(said?.name !== undefined && { name: said.name }),
    ...(thought !== undefined && { additional_kwargs: { reasoning_content: thought } }),
    tool_calls: toolCalls.map(({ id, name, args }) => ({
      id,
      name,
      args: args as Record<string, unknown>,
      type: 'tool_call',
    })),
  });
}

/** Runs on, and takes down what is said; nobody judges it. */
async function goOn(graph: LangGraphHost, config: InvokeOptions, request: ReplayRequest): Promise<Replay> {
  const recorder = memoryRecorder();
  const auditor = { audit: async () => ({ kind: 'continue' as const }) };
  const runtime = createRuntime({ auditor, recorder, schedule: { due: () => false }, onAlarm: 'observe' });
  const twin = compiledGraphOf(withAuditor(graph, runtime));
  const error = await twin.invoke(null, config).then(
    () => undefined,
    (cause: unknown) => {
      config.signal?.throwIfAborted();
      return messageOf(cause);
    },
  );
  await runtime.flush();
  const before = [...request.turns.slice(0, request.step), request.turn];
  const turns = [
    ...before,
    ...inOrder(recorder.records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []))),
  ];
  return error === undefined ? { turns } : { turns, error };
}

/** What was given stood in the checkpoint: the turns before, and the one that was put in. */
function inOrder(turns: readonly Turn[]): TurnInput[] {
  const trajectory = new Trajectory();
  for (const turn of turns) if (turn.given !== true) trajectory.append(turn);
  return trajectory.turns().map(({ index: _index, path: _path, ...turn }) => turn);
}
