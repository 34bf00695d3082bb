import type { Agent, TelemetryOptions, ToolSet } from 'ai';
import { AgentRun, type Runtime } from '../../core/index.js';
import { carry, isThenable } from './carry.js';
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
  const hooked = () => ({ agent: host.id, tools: host.tools });
  const call = (method: 'generate' | 'stream') => (options: unknown) => {
    const given = isPart(options) ? options : {};
    const { settings } = host as { settings?: { telemetry?: TelemetryOptions } };
    const telemetry = visible((given['telemetry'] as TelemetryOptions | undefined) ?? settings?.telemetry);
    const seen = telemetry ? { ...given, telemetry } : given;
    const ask = (more: object) => () =>
      (host[method] as (options: unknown) => PromiseLike<unknown>)(
        isPart(options) ? { ...seen, ...more } : options,
      );
    const outer = joined(runtime);
    if (outer) return scopes.run(named(outer, host.id), ask({}));
    const scope = openScope([given], runtime, hooked());
    return carry(scope, ask(method === 'stream' ? withLastVerdict(given, scope) : {}));
  };
  const methods = new Map<PropertyKey, unknown>([
    ['generate', call('generate')],
    ['stream', call('stream')],
  ]);
  return new Proxy(host, {
    get(agent, key) {
      const found = methods.get(key) ?? Reflect.get(agent, key);
      if (typeof found !== 'function' || key === 'constructor' || methods.has(key)) return found;
      // Private fields are the agent's, not its twin's; so such a method's `this.generate` is the bare one.
      const method = (...args: unknown[]) =>
        called(args, runtime, { ...hooked(), mayAskNobody: true }, () => Reflect.apply(found, agent, args));
      methods.set(key, method);
      return method;
    },
  });
}

export function auditedFunction<Host extends FunctionHost>(
  host: Host,
  runtime: Runtime,
  options: FunctionOptions,
): Host {
  return new Proxy(host, {
    apply(call, self, args: unknown[]) {
      const ask = (seen: unknown[]) => () => Reflect.apply(call, self, seen);
      const [first, ...rest] = args;
      if (!isSdkCall(first)) return called(args, runtime, options, ask(args));
      if (joined(runtime)) return ask([sdkOptions(first), ...rest])();
      const scope = openScope(args, runtime, options);
      return carry(scope, ask([{ ...sdkOptions(first), ...withLastVerdict(first, scope) }, ...rest]));
    },
  });
}

/** A call of code of the user's: a run, or a place within one. */
function called(args: readonly unknown[], runtime: Runtime, hooked: Hooked, ask: () => unknown): unknown {
  const outer = joined(runtime);
  return outer ? lane(outer, ask) : carry(openScope(args, runtime, hooked), ask);
}

interface Hooked extends FunctionOptions {
  readonly agent?: string | undefined;
  readonly tools?: ToolSet | undefined;
  /** Whether it is no fault when no agent is seen at work. */
  readonly mayAskNobody?: boolean | undefined;
}

/** What a run has left behind, a filled pool say, begins runs of its own; what a halted one has, is halted. */
function joined(runtime: Runtime): Scope | undefined {
  const scope = scopes.getStore();
  if (!scope) return undefined;
  const { host } = scope;
  if (host.run.runtime === runtime) return host.isClosed ? undefined : scope;
  if (!host.run.isOver) host.lacks();
  return undefined;
}

/** Hooked twice, it is one agent still. */
function named(scope: Scope, id: string | undefined): Scope {
  const { host, site, isInAgent, own, agent } = scope;
  return own === undefined && agent === id ? scope : { host, site, isInAgent, agent: id };
}

function openScope(args: readonly unknown[], runtime: Runtime, hooked: Hooked): Scope {
  putTapOn();
  const { start, messages, signal } = readInput(args);
  const past = waitingRun(messages, runtime);
  const answersOverlap = hooked.audit === 'overlap';
  const run = new AgentRun(runtime, { framework: 'ai-sdk', past, signal, answersOverlap });
  const tools = hooked.tools && toTools(hooked.tools);
  const told = past ? { ...start, given: saidSince(messages) } : start;
  const host = new HostRun(run, {
    start: tools ? { ...told, tools } : told,
    signal,
    mayAskNobody: hooked.mayAskNobody === true,
  });
  return { host, site: run.site, isInAgent: false, agent: hooked.agent };
}

function isSdkCall(options: unknown): options is Part {
  return isPart(options) && 'model' in options && ('prompt' in options || 'messages' in options);
}

/** What the SDK's function is given in place of the caller's options. */
function sdkOptions(options: Part): Part {
  const given = options['telemetry'] ?? options['experimental_telemetry'];
  const telemetry = visible(given as TelemetryOptions | undefined);
  return telemetry ? { ...options, telemetry } : options;
}

/** `generateText` knows no such option, and ignores it. */
function withLastVerdict({ experimental_transform: given }: Part, scope: Scope): object {
  const others = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return { experimental_transform: [...others, lastVerdict(scope)] };
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
