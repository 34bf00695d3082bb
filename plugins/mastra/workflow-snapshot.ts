import type { JsonValue, PastRun, TurnInput } from '../../core/index.js';
import { AUDITOR } from './halt.js';
import type { KeptWork } from './step-at-work.js';

/** Under which key of the request context, which Mastra saves with a run, the audited past is saved. */
export const PAST = 'auditor.past';

/** What Mastra has saved of one step. */
export interface SavedStep {
  readonly status: string;
  readonly payload?: unknown;
  readonly output?: unknown;
  readonly tripwire?: { readonly processorId?: string };
  readonly suspendPayload?: {
    readonly auditor?: KeptWork;
    readonly __workflow_meta?: { readonly path?: readonly string[] };
  };
  readonly auditor?: KeptWork;
}

/** What Mastra has saved of a run; the part that matters here. */
export interface Snapshot {
  readonly status: string;
  readonly context: { readonly input?: unknown } & Readonly<Record<string, SavedStep>>;
  readonly requestContext?: Readonly<Record<string, JsonValue>>;
  readonly stepExecutionPath?: readonly string[];
}

interface Storing {
  readonly mastra?:
    | { getStorage(): { getStore(name: 'workflows'): Promise<SnapshotStore | undefined> } | undefined }
    | undefined;
}

interface SnapshotStore {
  loadWorkflowSnapshot(of: { workflowName: string; runId: string }): Promise<Snapshot | null>;
}

/** @returns nothing without a storage, or for a run that it does not have */
export async function savedRun(
  { mastra }: Storing,
  workflowName: string,
  runId: string,
): Promise<Snapshot | undefined> {
  const store = await mastra?.getStorage()?.getStore('workflows');
  return (await store?.loadWorkflowSnapshot({ workflowName, runId })) ?? undefined;
}

/** The audited past of a run that was stopped; written by us, so of this shape. */
export function savedPast(snapshot: Snapshot | undefined): PastRun | undefined {
  return snapshot?.requestContext?.[PAST] as PastRun | undefined;
}

/**
 * What was done before, of a run that was not stopped by an alarm.
 * @param target the step to which the run goes back
 */
export function doneSteps({ context, stepExecutionPath = [] }: Snapshot, target: unknown): TurnInput[] {
  const first = stepExecutionPath.indexOf(targetId(target));
  const before = first < 0 ? stepExecutionPath : stepExecutionPath.slice(0, first);
  return before.flatMap((agent) => {
    const { status, output } = context[agent] ?? {};
    return status === 'success'
      ? { agent, kind: 'state' as const, content: JSON.stringify(output) ?? '' }
      : [];
  });
}

/** Mastra takes a step, its id, a path of ids with dots, or a list of either. */
function targetId(target: unknown): string {
  const [first] = Array.isArray(target) ? target : [target];
  const id = typeof first === 'string' ? first.split('.')[0] : (first as { readonly id?: string })?.id;
  return id ?? '';
}

/** The steps at which an alarm has halted the run, side by side, with what they have left. */
export function haltedSteps(snapshot: Snapshot): ReadonlyMap<string, SavedStep> {
  const { status, context, stepExecutionPath = [] } = snapshot;
  if (status !== 'tripwire') return new Map();
  const steps = Object.entries(context as Record<string, SavedStep>);
  const halted = steps.filter(([, step]) => step?.status === 'failed' && isHalted(step));
  const last = stepExecutionPath.at(-1);
  if (halted.length > 0 || last === undefined || !savedPast(snapshot)) return new Map(halted);
  const { output, ...step } = context[last] ?? { status: '' };
  return new Map([[last, { ...step, auditor: { stepId: last, output } }]]); // halted when all was done
}

/** The steps that an alarm has suspended, each as a path into nested workflows. */
export function pausedSteps({ context }: Snapshot): string[][] {
  return Object.entries(context as Record<string, SavedStep>).flatMap(([id, step]) =>
    step?.status === 'suspended' && step.suspendPayload?.auditor
      ? [[id, ...(step.suspendPayload.__workflow_meta?.path ?? [])]]
      : [],
  );
}

function isHalted({ tripwire, auditor }: SavedStep): boolean {
  return auditor !== undefined || tripwire?.processorId === AUDITOR;
}
