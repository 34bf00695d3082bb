import type { DefaultExecutionEngine, Workflow } from '@mastra/core/workflows';
import { AgentCall, AgentRun, type Outcome, outcomeAfter, type Runtime } from '../../core/index.js';
import { auditedEngine } from './audited-engine.js';
import { pastRuns } from './past-runs.js';
import { type Scope, scopes } from './scope.js';
import { entering } from './tap.js';
import { WorkflowScope } from './workflow-scope.js';
import { taskOf } from './workflow-task.js';

/** A run of a workflow: the part that matters here, some of which Mastra keeps to its own classes. */
export interface WorkflowRun {
  readonly workflowId: string;
  readonly runId: string;
  readonly abortController: AbortController;
  readonly executionGraph: { readonly steps: readonly unknown[] };
  readonly mastra?: { getStorage(): unknown; listWorkflows(): Record<string, Workflow> } | undefined;
  executionEngine: DefaultExecutionEngine;
}

interface Result {
  readonly status: string;
  readonly error?: unknown;
}

type Work = (this: WorkflowRun, params: unknown) => Promise<Result>;

/** To what all ways of running a workflow come down, streamed or not. */
const METHODS = ['_start', '_resume', '_restart', '_timeTravel'] as const;

const tapped = new WeakSet<object>();

/** Workflows within workflows, and those that code calls, are run past any twin: so their class is tapped, once. */
export function tapRunsOf(run: object): void {
  for (let type = Object.getPrototypeOf(run); type && type !== Object.prototype; ) {
    if (tapped.has(type)) return;
    tapped.add(type);
    for (const method of METHODS) if (Object.hasOwn(type, method)) tap(type, method);
    type = Object.getPrototypeOf(type);
  }
}

function tap(type: Record<string, Work>, method: (typeof METHODS)[number]): void {
  const original = type[method] as Work;
  Object.defineProperty(type, method, {
    configurable: true,
    writable: true,
    value: function (this: WorkflowRun, params: unknown): Promise<Result> {
      const runtime = entering.getStore();
      const scope = scopes.getStore();
      const outer = scope && (!runtime || scope.run.runtime === runtime) ? scope : undefined;
      if (outer) {
        if (isOfUsers(this, outer)) this.executionEngine = auditedEngine(this.executionEngine);
        return entering.run(undefined, () => original.call(this, params));
      }
      if (!runtime) return original.call(this, params);
      return entering.run(undefined, () =>
        wholeRun(this, runtime, () => original.call(this, params), params),
      );
    },
  });
}

async function wholeRun(
  workflowRun: WorkflowRun,
  runtime: Runtime,
  work: () => Promise<Result>,
  params: unknown,
): Promise<Result> {
  const { abortController, executionGraph, runId } = workflowRun;
  const past = pastRuns(runtime).get(runId);
  const run = new AgentRun(runtime, {
    framework: 'mastra',
    past,
    signal: abortController.signal,
    can: workflowRun.mastra?.getStorage() ? ['pause'] : [],
  });
  run.open({ task: taskOf(params), ...(past ? { given: [] } : {}) });
  workflowRun.executionEngine = auditedEngine(workflowRun.executionEngine);
  const scope = new WorkflowScope(run, executionGraph.steps.length);
  try {
    const result = await scopes.run(scope, work);
    await end(run, outcomeOf(result, run), runId);
    return result;
  } catch (error) {
    await end(run, outcomeAfter(error, abortController.signal), runId);
    throw error;
  }
}

async function end(run: AgentRun, outcome: Outcome, runId: string): Promise<void> {
  await run.end(outcome);
  const past = run.asPast();
  if (past && outcome.status !== 'completed') pastRuns(run.runtime).set(runId, past);
}

function outcomeOf({ status, error }: Result, { stopped }: AgentRun): Outcome {
  if (stopped && status === 'suspended') return { status: 'paused' };
  if (stopped) return { status: 'halted' };
  if (status === 'success') return { status: 'completed' };
  if (status === 'canceled') return { status: 'aborted' };
  if (status === 'suspended' || status === 'paused') return { status: 'interrupted' };
  return { status: 'failed', error: String((error as Error | undefined)?.message ?? status) };
}

/** Agents at work run workflows of Mastra's own: there, only those that the instance knows by name are its users'. */
function isOfUsers({ mastra, workflowId }: WorkflowRun, scope: Scope): boolean {
  if (!(scope instanceof AgentCall)) return true;
  return Object.values(mastra?.listWorkflows() ?? {}).some(({ id }) => id === workflowId);
}
