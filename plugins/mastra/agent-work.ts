import { type Outcome, outcomeAfter, type Runtime, type Stop } from '../../core/index.js';
import { type AnyAgent, auditedOptions, type CallOptions } from './agent-options.js';
import { beginRun } from './begin-run.js';
import { callersTools, declaredTools } from './declared-tools.js';
import { AuditTripWire, keepHalt, tripwireOf } from './halt.js';
import { AuditHook, hooks } from './hook.js';
import { pastRuns } from './past-runs.js';
import { type Scope, scopes } from './scope.js';
import { type Settled, settledOutput } from './settled-output.js';

/** An agent that is set to work by one of its methods. */
export interface Work {
  readonly agent: AnyAgent;
  readonly input: unknown;
  readonly options: CallOptions | undefined;
  /** The options that hold for it, the agent's own included. */
  readonly given: CallOptions;
  /** Mastra's id of the run that is taken up. */
  readonly resumedId: string | undefined;
}

/** @param outer the run that it belongs to, or else the runtime that audits it as a run of its own */
export async function atWork(
  work: Work,
  outer: Scope | Runtime,
  original: (options: CallOptions) => Promise<unknown>,
): Promise<unknown> {
  const { agent, given: options } = work;
  const isOutermost = !('run' in outer);
  const run = isOutermost ? beginRun(outer, { ...work, abortSignal: options.abortSignal }) : outer.run;
  const call = run.begin(agent.name, isOutermost ? run.site : outer.site);
  const hook = new AuditHook(call, {
    isOutermost,
    isResumed: work.resumedId !== undefined,
    toolsOf: () => declaredTools(agent, options),
    callersTools: () => callersTools(agent, options),
  });
  const ends = (settled: Settled) => ended(hook, settled, isOutermost);
  try {
    const audited = { ...work.options, ...(await auditedOptions(agent, options, hook)) };
    const result = await scopes.run(call, () => hooks.run(hook, () => original(audited)));
    const settled = settledOutput(result);
    if (settled instanceof Promise) void settled.then(ends);
    else {
      const stop = await unlessAborted(settled.outcome, ends(settled));
      if (stop && settled.outcome.status === 'completed') show(stop, result as object);
    }
    return result;
  } catch (error) {
    const outcome = outcomeAfter(error, options.abortSignal);
    const stop = await unlessAborted(outcome, ends({ outcome, runId: undefined }));
    if (stop && outcome.status === 'failed')
      throw Object.assign(new AuditTripWire(stop.halt), { cause: error });
    throw error;
  }
}

/** After an abort nobody waits for a verdict. */
async function unlessAborted({ status }: Outcome, end: Promise<Stop | undefined>): Promise<Stop | undefined> {
  return status === 'aborted' ? undefined : end;
}

/** Of answers that Mastra takes for the last, and has not said so, the verdict comes when the result is there. */
function show({ halt }: Stop, result: { readonly tripwire?: unknown }): void {
  if (result.tripwire === undefined) Object.assign(result, { tripwire: tripwireOf(halt) });
}

/** @returns how the run was stopped, if it is over */
async function ended(
  hook: AuditHook,
  { outcome, runId }: Settled,
  isOutermost: boolean,
): Promise<Stop | undefined> {
  const { run } = hook.call;
  if (outcome.status === 'completed') hook.readAnswers();
  hook.call.leave();
  if (!isOutermost) return undefined;
  const isWaiting = outcome.status === 'interrupted';
  const stop = await run.end(outcome);
  const past = run.asPast();
  if (isWaiting && runId !== undefined && past) pastRuns(run.runtime).set(runId, past);
  if (isWaiting && runId !== undefined && stop) keepHalt(runId, stop.halt);
  return stop;
}
