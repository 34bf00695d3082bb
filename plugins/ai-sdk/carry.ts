import { outcomeAfter } from '../../core/index.js';
import { AuditHaltError, haltOn } from './halt.js';
import type { HostRun } from './host-run.js';
import { isPart } from './messages.js';
import { type Scope, scopes } from './scope.js';

/**
 * Makes the hooked call within its run, and ends the run when the call has settled; agents that are at work even then, as
 * behind a stream, end it when they are done.
 * @throws AuditHaltError, in the call's own promise where it has one, or whatever the host throws
 */
export function carry(scope: Scope, call: () => unknown): unknown {
  const { host } = scope;
  let result: unknown;
  try {
    result = scopes.run(scope, call);
  } catch (error) {
    void host.end(outcomeAfter(error, host.signal));
    throw error;
  }
  if (!isThenable(result)) {
    void host.endWithAgents();
    return result;
  }
  return result.then(
    async (value) => {
      await returned(host, value);
      return value;
    },
    async (error) => {
      throw await failed(host, error);
    },
  );
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isPart(value) && typeof value['then'] === 'function';
}

/** What is given back has been judged, though it may not be the run's end; a stream's parts wait for themselves. */
async function returned(host: HostRun, value: unknown): Promise<void> {
  const isStream = flows(value);
  if (!isStream && !(await host.isAtWork())) return haltOn(await host.end({ status: 'completed' }));
  void host.endWithAgents();
  if (isStream) return;
  // An abort is for the agents to tell of.
  const stop = await host.run.settled([]).catch(() => undefined);
  // Nobody gets the streams inside, so nobody would read them to their end.
  if (stop) haltOn(await host.end({ status: 'halted' }));
}

/** The host may have wrapped the halt, as the SDK's own retries do. */
async function failed(host: HostRun, error: unknown): Promise<unknown> {
  const outcome = outcomeAfter(error, host.signal);
  const stop = await host.end(outcome);
  return stop && outcome.status === 'failed' ? new AuditHaltError(stop.halt, error) : error;
}

/** Whether it is what the SDK still streams. */
function flows(value: unknown): boolean {
  const isStream = value instanceof ReadableStream || value instanceof Response;
  return isStream || (isPart(value) && ('consumeStream' in value || 'partialObjectStream' in value));
}
