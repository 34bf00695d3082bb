import type { Agent, TelemetryOptions, ToolSet } from 'ai';
import { AgentRun, outcomeAfter, type Runtime } from '../../core/index.js';
import { AuditHaltError, haltOn } from './halt.js';
import { HostRun } from './host-run.js';
import { lastVerdict } from './last-verdict.js';
import { isPart, type Part } from './messages.js';
import { readInput, saidSince } from './run-input.js';
import { type Scope, scopes } from './scope.js';
import { putTapOn } from './tap.js';
import { toTools } from './to-turn.js';
import { visible } from './visible.js';
import { waitingRun } from './waiting-runs.js';

/** Any `Agent` of the SDK's: a `ToolLoopAgent`, or one of your own. */
export interface AgentHost extends Pick<Agent, 'version' | 'id'> {
  readonly tools: ToolSet;
  generate(options: never): PromiseLike<unknown>;
  stream(options: never): PromiseLike<unknown>;
}

/** A function of the SDK's, or one of the user's that calls agents. */
export type FunctionHost = (...args: never[]) => unknown;

/** How a function is audited. */
export interface FunctionOptions {
  /** `'overlap'`: under `gating: 'overlap'`, an agent's answer goes to the function's code before the verdict on it. */
  readonly audit?: 'overlap' | undefined;
}

export function auditedAgent<Host extends AgentHost>(host: Host, runtime: Runtime): Host {
  const call = (method: 'generate' | 'stream') => (options: Part) => {
    const { id } = host;
    const { settings } = host as { settings?: { telemetry?: TelemetryOptions } };
    const telemetry = visible((options['telemetry'] as TelemetryOptions | undefined) ?? settings?.telemetry);
    const seen = telemetry ? { ...options, telemetry } : options;
    const ask = (more: object) => () =>
      (host[method] as (options: object) => PromiseLike<unknown>)({ ...seen, ...more });
    const outer = scopes.getStore();
    if (outer?.host.run.runtime === runtime) {
      // Hooked twice, it is one agent still.
      const isSame = outer.own === undefined && outer.agent === id;
      const { host: run, site, isInAgent } = outer;
      return scopes.run(isSame ? outer : { host: run, site, isInAgent, agent: id }, ask({}));
    }
    const scope = openScope([options], runtime, { agent: id, tools: host.tools });
    return settled(scope, scopes.run(scope, ask(method === 'stream' ? withLastVerdict(options, scope) : {})));
  };
  const methods = new Map<PropertyKey, unknown>([
    ['generate', call('generate')],
    ['stream', call('stream')],
  ]);
  return new Proxy(host, { get: (agent, key) => methods.get(key) ?? Reflect.get(agent, key) });
}

export function auditedFunction<Host extends FunctionHost>(
  host: Host,
  runtime: Runtime,
  options: FunctionOptions,
): Host {
  return new Proxy(host, {
    apply(call, self, args: unknown[]) {
      const isSdkCall = isPart(args[0]) && 'model' in args[0];
      const outer = scopes.getStore();
      const joins = outer?.host.run.runtime === runtime;
      const scope = joins ? outer : openScope(args, runtime, options);
      const seen = isSdkCall
        ? [sdkOptions(args[0] as Part, joins ? undefined : scope), ...args.slice(1)]
        : args;
      const ask = () => Reflect.apply(call, self, seen);
      if (joins) return isSdkCall ? ask() : lane(scope, ask);
      try {
        return settled(scope, scopes.run(scope, ask));
      } catch (error) {
        void scope.host.end(outcomeAfter(error));
        throw error;
      }
    },
  });
}

interface Hooked extends FunctionOptions {
  readonly agent?: string | undefined;
  readonly tools?: ToolSet | undefined;
}

function openScope(args: readonly unknown[], runtime: Runtime, hooked: Hooked): Scope {
  putTapOn();
  const { start, messages, signal } = readInput(args);
  const past = waitingRun(messages, runtime);
  const answersOverlap = hooked.audit === 'overlap';
  const run = new AgentRun(runtime, { framework: 'ai-sdk', past, signal, answersOverlap });
  const tools = hooked.tools && toTools(hooked.tools);
  const told = past ? { ...start, given: saidSince(messages) } : start;
  const host = new HostRun(run, tools ? { ...told, tools } : told, signal);
  return { host, site: run.site, isInAgent: false, agent: hooked.agent };
}

/** What the SDK's function is given in place of the caller's options. */
function sdkOptions(options: Part, scope: Scope | undefined): Part {
  const given = options['telemetry'] ?? options['experimental_telemetry'];
  const telemetry = visible(given as TelemetryOptions | undefined);
  return {
    ...options,
    ...(telemetry ? { telemetry } : {}),
    ...(scope ? withLastVerdict(options, scope) : {}),
  };
}

/** `generateText` knows no such option, and ignores it. */
function withLastVerdict({ experimental_transform: given }: Part, scope: Scope): object {
  const others = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return { experimental_transform: [...others, lastVerdict(scope)] };
}

/** Ends the run when the call has settled; the streams that it returned end it themselves. */
function settled(scope: Scope, result: unknown): unknown {
  if (!isThenable(result)) {
    void scope.host.endWithStreams();
    return result;
  }
  return result.then(
    async (value) => {
      if (flows(value)) void scope.host.endWithStreams();
      else haltOn(await scope.host.end({ status: 'completed' }));
      return value;
    },
    async (error) => {
      const { host } = scope;
      const outcome = outcomeAfter(error, host.signal);
      const stop = await host.end(outcome);
      // The host may have wrapped the halt, as the SDK's own retries do.
      if (stop && outcome.status === 'failed') throw new AuditHaltError(stop.halt, error);
      throw error;
    },
  );
}

/** A function within a run is a place of its own: its agents follow one another, whatever else is at work beside it. */
function lane({ host, site, isInAgent }: Scope, call: () => unknown): unknown {
  const place = host.run.begin('lane', site);
  const leave = () => place.leave();
  let result: unknown;
  try {
    result = scopes.run({ host, site: place.site, isInAgent }, call);
  } finally {
    if (isThenable(result)) result.then(leave, leave);
    else leave();
  }
  return result;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isPart(value) && typeof value['then'] === 'function';
}

/** Whether it is, or carries, what the SDK still streams. */
function flows(value: unknown): boolean {
  const isStream = value instanceof ReadableStream || value instanceof Response;
  return isStream || (isPart(value) && ('consumeStream' in value || 'partialObjectStream' in value));
}
