import type { DefaultExecutionEngine, Workflow } from '@mastra/core/workflows';
import { AgentRun, type Outcome, outcomeAfter, type PastRun, type Runtime } from '../../core/index.js';
import { auditedEngine } from './audited-engine.js';
import { keepHalt } from './halt.js';
import { needNotSay } from './only-halted.js';
import { scopes } from './scope.js';
import { type Recovery, recoveryOf } from './workflow-recovery.js';
import { WorkflowScope } from './workflow-scope.js';
import {
  doneSteps,
  haltedSteps,
  pausedSteps,
  type Snapshot,
  savedPast,
  savedRun,
} from './workflow-snapshot.js';
import { taskOf } from './workflow-task.js';

/** A run of a workflow: the part that matters here, some of which Mastra keeps to its own classes. */
export interface WorkflowRun {
  readonly workflowId: string;
  readonly runId: string;
  readonly abortController: AbortController;
  readonly executionGraph: { readonly steps: readonly unknown[] };
  readonly mastra?: { getStorage(): never; listWorkflows(): Record<string, Workflow> } | undefined;
  executionEngine: DefaultExecutionEngine;
  workflowSteps: Readonly<Record<string, object>>;
}

export interface WorkflowResult {
  readonly status: string;
  /** Or its copy as JSON. */
  readonly error?: { readonly message: string } | undefined;
}

export type Params = Readonly<Record<string, unknown>> & {
  readonly requestContext?: { get(key: string): unknown; set(key: string, value: unknown): void };
};

type Method = (params: Params) => Promise<WorkflowResult>;

/** By which methods of Mastra's it is run. */
export interface Work {
  readonly name: '_start' | '_resume' | '_restart' | '_timeTravel';
  readonly params: Params;
  readonly original: Method;
  readonly timeTravel: Method;
}

/** A run of the outermost workflow; where it recovers from an alarm, each try is a run of the log. */
export async function wholeRun(on: WorkflowRun, runtime: Runtime, work: Work): Promise<WorkflowResult> {
  const saved = work.name === '_start' ? undefined : await savedRun(on, on.workflowId, on.runId);
  const takesUp = work.name === '_resume' && saved !== undefined;
  let attempt = new Attempt(on, runtime, takesUp ? savedPast(saved) : undefined);
  attempt.open(work.params, saved, work.params['step']);
  let result = await attempt.play((scope) =>
    takesUp ? takingUp(on, work, saved, scope) : work.original(work.params),
  );
  for (;;) {
    const recovery = recoveryOf(attempt.scope);
    if (!recovery) return result;
    attempt = new Attempt(on, runtime, recovery.past, recovery);
    attempt.open(work.params, undefined, undefined);
    result = await attempt.play((scope) => goingBack(on, work, recovery, scope));
  }
}

/** One run of the log. */
class Attempt {
  readonly scope: WorkflowScope;
  readonly #on: WorkflowRun;
  readonly #recovery: Recovery | undefined;
  readonly #past: PastRun | undefined;

  constructor(on: WorkflowRun, runtime: Runtime, past: PastRun | undefined, recovery?: Recovery) {
    const { signal } = on.abortController;
    // Without a storage nothing can be taken up.
    const can = on.mastra?.getStorage() ? (['pause', 'recover'] as const) : [];
    const run = new AgentRun(runtime, { framework: 'mastra', thread: on.runId, past, signal, can });
    needNotSay(run);
    this.scope = new WorkflowScope(run, on.executionGraph.steps.length, recovery?.hint);
    this.#on = on;
    this.#past = past;
    this.#recovery = recovery;
  }

  /** @param target the step that the caller goes back to */
  open(params: Params, saved: Snapshot | undefined, target: unknown): void {
    const { run } = this.scope;
    const hint = this.#recovery?.hint.text;
    if (this.#past) {
      run.open({
        task: '',
        given: hint === undefined ? [] : [{ agent: 'user', kind: 'user', content: hint }],
      });
      return;
    }
    const task = taskOf(saved ? saved.context.input : params['inputData']);
    const given = saved ? doneSteps(saved, target) : [];
    run.open({ task, given: [{ agent: 'user', kind: 'user', content: task }, ...given] });
  }

  async play(work: (scope: WorkflowScope) => Promise<WorkflowResult>): Promise<WorkflowResult> {
    const { run } = this.scope;
    this.#on.executionEngine = auditedEngine(this.#on.executionEngine);
    try {
      const result = await scopes.run(this.scope, () => work(this.scope));
      await run.end(outcomeOf(result, run));
      if (run.stopped && result.status === 'suspended') keepHalt(this.#on.runId, run.stopped.halt);
      return result;
    } catch (error) {
      await run.end(outcomeAfter(error, this.#on.abortController.signal));
      throw error;
    }
  }
}

/** To take up a halted run, which Mastra would refuse, is to go back to where it was halted. */
async function takingUp(
  on: WorkflowRun,
  { original, timeTravel, params }: Work,
  saved: Snapshot,
  scope: WorkflowScope,
): Promise<WorkflowResult> {
  const { step, label, resumeData, ...others } = params;
  if (haltedSteps(saved).size > 0) {
    const travel = scope.travelIn(on.workflowId, saved);
    return timeTravel({ ...others, step: travel?.steps, context: travel?.context });
  }
  const paused = pausedSteps(saved);
  if (step !== undefined || label !== undefined || paused.length === 0) return original(params);
  let result: WorkflowResult = { status: 'suspended' };
  for (const path of paused) {
    if (result.status !== 'suspended' || scope.run.stopped) break;
    result = await withoutSchema(on, path[0], () => original({ ...params, step: path }));
  }
  return result;
}

/** What a step expects of its own users is not asked of whoever overrides an alarm. */
async function withoutSchema<T>(
  on: WorkflowRun,
  stepId: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { workflowSteps } = on;
  const step = stepId === undefined ? undefined : workflowSteps[stepId];
  if (!step || stepId === undefined) return work();
  on.workflowSteps = {
    ...workflowSteps,
    [stepId]: Object.create(step, { resumeSchema: { value: undefined } }),
  };
  try {
    return await work();
  } finally {
    on.workflowSteps = workflowSteps;
  }
}

/** The blamed step is done again, and what was stopped beside it goes on. */
async function goingBack(
  on: WorkflowRun,
  { timeTravel, params }: Work,
  { hint, besides }: Recovery,
  scope: WorkflowScope,
): Promise<WorkflowResult> {
  const { inputData, step, label, resumeData, context, ...others } = params;
  const saved = await savedRun(on, on.workflowId, on.runId);
  const travel = saved && scope.travelIn(on.workflowId, saved, (id) => besides.has(id));
  return timeTravel({ ...others, step: [hint.stepId], context: travel?.context });
}

function outcomeOf({ status, error }: WorkflowResult, { stopped }: AgentRun): Outcome {
  if (status === 'suspended' || status === 'paused') return { status: 'interrupted' };
  if (stopped) return { status: 'halted' };
  if (status === 'success') return { status: 'completed' };
  if (status === 'canceled') return { status: 'aborted' };
  return { status: 'failed', error: error?.message ?? status };
}
