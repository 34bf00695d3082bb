import type { DefaultExecutionEngine } from '@mastra/core/workflows';
import { AuditHalt, type Stop } from '../../core/index.js';
import { AUDITOR, haltMetadata } from './halt.js';
import { scopes } from './scope.js';
import { type KeptWork, StepAtWork, type StepKind } from './step-at-work.js';
import type { StepContext } from './step-context.js';
import { tapClassOf } from './tap.js';
import { HINT } from './workflow-recovery.js';
import { WorkflowScope } from './workflow-scope.js';
import { PAST, savedRun } from './workflow-snapshot.js';

type Engine = DefaultExecutionEngine;
type StepParams = Parameters<Engine['executeStep']>[0];
type EntryParams = Parameters<Engine['executeEntry']>[0];
type AgentParams = Parameters<Engine['executeAgent']>[0];
type Entry = Awaited<ReturnType<Engine['executeEntry']>>;
type ConditionalParams = Parameters<Engine['executeConditional']>[0];
type ForeachParams = Parameters<Engine['executeForeach']>[0];
type RetryParams = Parameters<Engine['executeStepWithRetry']>[2];
type Tried<T> = Awaited<ReturnType<typeof DefaultExecutionEngine.prototype.executeStepWithRetry<T>>>;

const audited = new WeakMap<object, Engine>();

/**
 * The engine with its steps audited. All that a workflow does comes down to an engine's `executeStep`, the steps of loops
 * and lanes too. It inherits from the engine, which stays as it was, and outside audited runs does what that does.
 */
export function auditedEngine(engine: Engine): Engine {
  if (audited.get(engine) === engine) return engine;
  const known = audited.get(engine);
  if (known) return known;
  const derived: Engine = Object.create(engine, {
    executeStep: { value: (params: StepParams) => executeStep(engine, derived, params) },
    executeStepWithRetry: {
      value: <T>(id: string, runStep: () => Promise<T>, params: RetryParams) =>
        executeOnce(engine, derived, id, runStep, params),
    },
    executeEntry: { value: (params: EntryParams) => executeEntry(engine, derived, params) },
    executeAgent: { value: (params: AgentParams) => executeAgent(engine, derived, params) },
    executeConditional: {
      value: (params: ConditionalParams) => executeConditional(engine, derived, params),
    },
    executeForeach: { value: (params: ForeachParams) => executeForeach(engine, derived, params) },
    // What a mapping computes is what the next step shows.
    executeMapping: { value: (params: never) => engine.executeMapping(params) },
  });
  audited.set(engine, derived);
  audited.set(derived, derived);
  return derived;
}

function executeAgent(engine: Engine, derived: Engine, params: AgentParams) {
  const { agent, agentId } = params.entry;
  const found = agent ?? derived.mastra?.getAgentById(agentId);
  if (found) tapClassOf(found);
  return engine.executeAgent.call(derived, params);
}

async function executeStep(engine: Engine, derived: Engine, params: StepParams) {
  const scope = scopes.getStore();
  if (!scope) return engine.executeStep.call(derived, params);
  const { step, workflowId, executionContext } = params;
  const item = executionContext.foreachIndex;
  const kind = kindOf(step);
  const atWork = new StepAtWork(step.id, kind, scope, item);
  const { root } = atWork;
  const kept = root?.takeKept(workflowId, step.id, item);
  const items = item === undefined ? undefined : root?.itemsOf(workflowId, step.id);
  const travel = root && kept && kind === 'team' ? await travelOf(derived, root, params) : undefined;
  const watched: typeof step = Object.create(step);
  const work = (context: StepContext) => {
    const hint = kind === 'agent' ? root?.hint : undefined;
    if (travel) Object.assign(context, travel);
    if (hint?.stepId === step.id) context.inputData = withHint(context.inputData, hint.text);
    const execute = (seen: StepContext) => step.execute(seen as never);
    return atWork.work(execute, watched, context, kept ?? context.suspendData?.auditor);
  };
  watched.execute = work as typeof step.execute;
  try {
    if (root?.hint?.stepId === step.id) params.requestContext.set(HINT, root.hint.text);
    params.step = watched;
    const executed = await scopes.run(atWork, () => engine.executeStep.call(derived, params));
    if (items && item !== undefined) keepItem(items, item, executed.result, atWork.kept);
    if (atWork.kept) Object.assign(executed.result, { auditor: { ...atWork.kept, ...(items && { items }) } });
    return executed;
  } finally {
    if (root?.hint?.stepId === step.id) params.requestContext.delete(HINT);
    atWork.leave();
  }
}

/** Items of which several are at work at once are lanes of one step, also when by chance none is at work. */
async function executeForeach(engine: Engine, derived: Engine, params: ForeachParams) {
  const { site } = scopes.getStore() ?? {};
  if (!site || params.entry.opts.concurrency === 1) return engine.executeForeach.call(derived, params);
  site.enter();
  try {
    return await engine.executeForeach.call(derived, params);
  } finally {
    site.leave();
  }
}

function keepItem(items: Record<string, unknown>, item: number, result: object, kept: KeptWork | undefined) {
  const done = kept ?? (result as { readonly output?: unknown });
  if ('output' in done) items[item] = done.output;
}

/** Of several branches Mastra goes back to one, and forgets what the others have said. */
function executeConditional(engine: Engine, derived: Engine, params: ConditionalParams) {
  const { root } = (scopes.getStore() ?? {}) as Partial<StepAtWork | WorkflowScope>;
  const { timeTravel, ...others } = params;
  if (!timeTravel || !root?.isGoingOn) return engine.executeConditional.call(derived, params);
  timeTravel.executionPath.length = 0;
  return engine.executeConditional.call(derived, others);
}

/** A halted workflow within one that is taken up goes on where it was, too. */
async function travelOf({ mastra }: Engine, root: WorkflowScope, { step, runId }: StepParams) {
  const snapshot = await savedRun({ mastra: mastra as never }, step.id, runId);
  const travel = snapshot && root.travelIn(step.id, snapshot);
  if (!travel) return undefined;
  return { timeTravel: { steps: travel.steps, nestedStepResults: { [step.id]: travel.context } } };
}

/** An agent that is asked again is told why; code finds it in its request context. */
function withHint(input: unknown, hint: string): unknown {
  const { prompt } = input as { readonly prompt?: unknown };
  return typeof prompt === 'string' ? { prompt: `${prompt}\n\n${hint}` } : input;
}

/** A halt is no failure to be tried again. */
async function executeOnce<T>(
  engine: Engine,
  derived: Engine,
  id: string,
  runStep: () => Promise<T>,
  params: RetryParams,
): Promise<Tried<T>> {
  let halt: AuditHalt | undefined;
  const tried = await engine.executeStepWithRetry.call(
    derived,
    id,
    () =>
      runStep().catch((error: unknown) => {
        if (!(error instanceof AuditHalt)) throw error;
        halt = error;
        return undefined as T;
      }),
    params,
  );
  if (!halt) return tried as Tried<T>;
  return { ok: false, error: { ...tripped(halt), endedAt: Date.now() } };
}

/** The last entry of the outermost workflow ends the run, which may be halted only then. */
async function executeEntry(engine: Engine, derived: Engine, params: EntryParams) {
  const scope = scopes.getStore();
  if (scope instanceof WorkflowScope) params.requestContext.delete(PAST);
  const executed = await engine.executeEntry.call(derived, params);
  if (!scope) return executed;
  const { run } = scope;
  const { result } = executed;
  if (!(scope instanceof WorkflowScope)) return haltedAs(result, run.stopped, executed);
  const stop = scope.endsWith(params, result.status) ? await run.end({ status: 'completed' }) : undefined;
  if (stop) result.status = 'failed';
  if (result.status !== 'success') params.requestContext.set(PAST, run.asPast());
  return haltedAs(result, stop ?? run.stopped, executed);
}

/** Of a `foreach` that fails Mastra keeps the error alone. */
function haltedAs(
  result: { readonly status: string; readonly tripwire?: unknown },
  stop: Stop | undefined,
  executed: Entry,
): Entry {
  if (!stop || stop.action === 'pause' || result.status !== 'failed' || result.tripwire) return executed;
  const halted = { ...executed.result, ...tripped(new AuditHalt(stop.halt)) };
  return { ...executed, result: halted as Entry['result'] };
}

function tripped(halt: AuditHalt) {
  const tripwire = { reason: halt.message, metadata: { ...haltMetadata(halt) }, processorId: AUDITOR };
  return { status: 'failed' as const, error: halt, tripwire };
}

function kindOf(step: object): StepKind {
  const { component } = step as { readonly component?: string };
  return component === 'AGENT' ? 'agent' : component === 'WORKFLOW' ? 'team' : 'code';
}
