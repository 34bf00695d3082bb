import { randomUUID } from 'node:crypto';
import type { AnyWorkflow } from '@mastra/core/workflows';
import {
  type Replay,
  type Replayer,
  type ReplayRequest,
  replayRuntime,
  type TurnInput,
} from '../../core/index.js';
import { auditedWorkflow } from './audited-workflow.js';
import { tapOurCopy } from './taps.js';
import { type SavedStep, type Snapshot, savedRun } from './workflow-snapshot.js';

export interface WorkflowReplayerOptions {
  /** Mastra's id of the recorded run. Default: the one in the run log. */
  readonly runIdOf?: ((request: ReplayRequest) => string | undefined) | undefined;
}

/**
 * Replays recorded runs of a workflow from another turn on, with its real steps, agents and tools: whatever they do to the world
 * is done again. What Mastra has saved of the run is copied to a run of its own, which travels in time to the step
 * after the turn's, and is deleted afterwards. Only a step that stands in a row with the next one can be replaced.
 * @param workflow as it was when the runs were recorded, in a Mastra with the storage that has them
 */
export function mastraReplayer(
  workflow: AnyWorkflow,
  { runIdOf = ({ thread }) => thread }: WorkflowReplayerOptions = {},
): Replayer {
  return {
    async replay(request, signal) {
      const runId = runIdOf(request);
      if (runId === undefined) return { refused: 'the run does not say which of Mastra’s it was' };
      const saved = await savedRun(workflow as never, workflow.id, runId);
      if (!saved) return { refused: 'Mastra has not saved the run' };
      const place = placeOf(workflow, saved, request);
      if (typeof place === 'string') return { refused: place };
      signal.throwIfAborted();
      return goOn(workflow, saved, place, request, signal);
    },
  };
}

interface Place {
  readonly step: string;
  /** The step after it. */
  readonly next: string;
  /** What the step gives this time. */
  readonly output: unknown;
}

/** Or why there is none. */
function placeOf(
  workflow: AnyWorkflow,
  { context }: Snapshot,
  { turns, step, turn }: ReplayRequest,
): Place | string {
  const original = turns[step] as TurnInput;
  const steps = Object.entries(context as Readonly<Record<string, SavedStep>>).filter(
    ([id]) => id !== 'input',
  );
  const found = steps.filter(([, saved]) => saved?.status === 'success' && says(saved.output, original));
  const [first, ...others] = found;
  if (!first) return 'no step has given this turn as its output';
  if (others.length > 0) return 'several steps have given the same';
  const [id, { output }] = first;
  const next = stepAfter(workflow, id);
  if (next === undefined) return 'its step does not stand in a row with a next one';
  const replaced = outputFor(output, turn);
  return replaced === undefined
    ? 'what stands in its place is no JSON, as the output is'
    : { step: id, next, output: replaced };
}

/** A plain step's turn is its output as JSON; an agent's words are the text of its step's output. */
function says(output: unknown, { kind, content }: TurnInput): boolean {
  if (kind === 'state') return JSON.stringify(output) === content;
  return textOf(output) === content;
}

function outputFor(output: unknown, { kind, content }: TurnInput): unknown {
  if (kind !== 'state') return { ...(output as object), text: content };
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function textOf(output: unknown): unknown {
  return typeof output === 'object' && output !== null && 'text' in output ? output.text : undefined;
}

function stepAfter({ stepGraph }: AnyWorkflow, id: string): string | undefined {
  const entries = stepGraph as readonly { readonly type: string; readonly step?: { readonly id: string } }[];
  const at = entries.findIndex(({ type, step }) => type === 'step' && step?.id === id);
  const next = at < 0 ? undefined : entries[at + 1];
  return next?.type === 'step' ? next.step?.id : undefined;
}

/** Runs on, and takes down what is said; nobody judges it. */
async function goOn(
  workflow: AnyWorkflow,
  saved: Snapshot,
  { step, next, output }: Place,
  request: ReplayRequest,
  signal: AbortSignal,
): Promise<Replay> {
  const { runtime, said } = replayRuntime();
  tapOurCopy();
  const runId = `replay-${randomUUID()}`;
  const { context } = saved;
  const changed = { ...context, [step]: { ...context[step], output } };
  const store = await workflow.mastra?.getStorage()?.getStore('workflows');
  await store?.persistWorkflowSnapshot({
    workflowName: workflow.id,
    runId,
    snapshot: { ...saved, runId, context: changed } as never,
  });
  try {
    const run = await auditedWorkflow(workflow, runtime).createRun({ runId });
    const cancel = () => void run.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const result = await run
      .timeTravel({ step: next, inputData: output, context: changed as never })
      .finally(() => signal.removeEventListener('abort', cancel));
    signal.throwIfAborted();
    const turns = [...request.turns.slice(0, request.step), request.turn, ...(await said())];
    return result.status === 'failed' ? { turns, error: result.error.message } : { turns };
  } finally {
    await workflow.deleteWorkflowRunById(runId);
  }
}
