import type { DefaultExecutionEngine } from '@mastra/core/workflows';
import { AuditHalt } from '../../core/index.js';
import { AUDITOR, haltMetadata } from './halt.js';
import { scopes } from './scope.js';
import { type KeptWork, StepAtWork, type StepContext, type StepKind } from './step-at-work.js';
import { tapClassOf } from './tap.js';
import { WorkflowScope } from './workflow-scope.js';

type Engine = DefaultExecutionEngine;
type StepParams = Parameters<Engine['executeStep']>[0];
type EntryParams = Parameters<Engine['executeEntry']>[0];
type AgentParams = Parameters<Engine['executeAgent']>[0];
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
  const { step, stepResults } = params;
  const atWork = new StepAtWork(step.id, kindOf(step), scope);
  const done = keptIn(stepResults[step.id]);
  const execute = (context: StepContext) =>
    atWork.work((watched) => step.execute(watched as never), context, done ?? context.suspendData?.auditor);
  const watched = Object.create(step, { execute: { value: execute } }) as typeof step;
  try {
    const executed = await scopes.run(atWork, () =>
      engine.executeStep.call(derived, { ...params, step: watched }),
    );
    if (atWork.kept) Object.assign(executed.result, { auditor: atWork.kept });
    return executed;
  } finally {
    atWork.leave();
  }
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
  const executed = await engine.executeEntry.call(derived, params);
  const scope = scopes.getStore();
  if (!scope) return executed;
  const { result } = executed;
  if (scope instanceof WorkflowScope && scope.endsWith(params, result.status)) {
    const stop = await scope.run.end({ status: 'completed' });
    if (stop) return { ...executed, result: { ...result, ...tripped(new AuditHalt(stop.halt)) } };
  }
  // Of a `foreach` Mastra keeps the error alone.
  const { stopped } = scope.run;
  if (
    result.status === 'failed' &&
    !('tripwire' in result && result.tripwire) &&
    stopped?.action === 'halt'
  ) {
    return { ...executed, result: { ...result, ...tripped(new AuditHalt(stopped.halt)) } };
  }
  return executed;
}

function tripped(halt: AuditHalt) {
  const tripwire = { reason: halt.message, metadata: { ...haltMetadata(halt) }, processorId: AUDITOR };
  return { status: 'failed' as const, error: halt, tripwire };
}

function kindOf(step: object): StepKind {
  const { component } = step as { readonly component?: string };
  return component === 'AGENT' ? 'agent' : component === 'WORKFLOW' ? 'team' : 'code';
}

function keptIn(result: unknown): KeptWork | undefined {
  return (result as { readonly auditor?: KeptWork } | undefined)?.auditor;
}
