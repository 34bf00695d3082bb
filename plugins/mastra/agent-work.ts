import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProcessOutputResultArgs } from '@mastra/core/processors';
import { type AgentCall, AgentRun, type Outcome, outcomeAfter, type Runtime } from '../../core/index.js';
import {
  type AnyAgent,
  type CallOptions,
  toolsOf,
  withDefaults,
  withInput,
  withOutput,
} from './agent-options.js';
import { AuditTripWire } from './halt.js';
import { AuditProcessor, tripOn } from './hook.js';
import { pastRuns } from './past-runs.js';
import { type Scope, scopes } from './scope.js';
import { type Settled, settledOutput } from './settled-output.js';

/** An agent that is set to work by one of its methods. */
export interface Work {
  readonly agent: AnyAgent;
  readonly method: string;
  readonly input: unknown;
  readonly options: CallOptions | undefined;
}

/** The work whose options are being read. */
export const workInProgress = new AsyncLocalStorage<{ readonly processor: AuditProcessor }>();

type Original = (options: CallOptions) => Promise<unknown>;

/** @param outer the run that it belongs to, or else the runtime that audits it as a run of its own */
export async function atWork(work: Work, outer: Scope | Runtime, original: Original): Promise<unknown> {
  const { agent } = work;
  const options = await withDefaults(agent, work.options);
  const isRoot = !('run' in outer);
  const run = isRoot ? beginRun(outer, work, options) : outer.run;
  const call = run.begin(agent.name, isRoot ? run.site : outer.site);
  const processor = new AuditProcessor(call, () => toolsOf(agent, options));
  const audited: CallOptions = {
    ...work.options,
    inputProcessors: await withInput(agent, options, processor),
  };
  const ended = isRoot ? (settled: Settled) => endRun(run, settled) : undefined;
  if (isRoot) {
    audited.outputProcessors = await withOutput(agent, options, lastWord(call, processor));
  }
  try {
    const result = await scopes.run(call, () => workInProgress.run({ processor }, () => original(audited)));
    const settling = settledOutput(result);
    if (settling instanceof Promise) {
      void settling.then(async (settled) => {
        call.leave();
        await ended?.(settled);
      });
    } else {
      call.leave();
      await ended?.(settling);
    }
    return result;
  } catch (error) {
    call.leave();
    if (!isRoot) throw error;
    const outcome = outcomeAfter(error, options.abortSignal);
    const stop = await run.end(outcome);
    if (stop && outcome.status === 'failed')
      throw Object.assign(new AuditTripWire(stop.halt), { cause: error });
    throw error;
  }
}

function beginRun(runtime: Runtime, { method }: Work, { abortSignal, runId }: CallOptions): AgentRun {
  const past = method.startsWith('resume') && runId !== undefined ? pastRuns(runtime).get(runId) : undefined;
  return new AgentRun(runtime, { framework: 'mastra', past, signal: abortSignal });
}

/** The outermost agent's end: what its last tools have answered is judged, and what the schedule has passed over. */
function lastWord(call: AgentCall, processor: AuditProcessor) {
  return {
    id: processor.id,
    async processOutputResult({ messageList, result, abort }: ProcessOutputResultArgs) {
      if (!isEnd(result.finishReason)) return messageList;
      processor.readAnswers(messageList);
      call.leave();
      tripOn(await call.run.end({ status: 'completed' }), abort);
      return messageList;
    },
  };
}

function isEnd(finishReason: string): boolean {
  return !['error', 'aborted', 'tripwire', 'suspended'].includes(finishReason);
}

async function endRun(run: AgentRun, { outcome, runId }: Settled): Promise<void> {
  const ends: Outcome = run.stopped ? { ...outcome, status: 'halted' } : outcome;
  await run.end(ends);
  const past = run.asPast();
  if (ends.status === 'interrupted' && past && runId !== undefined) pastRuns(run.runtime).set(runId, past);
}
