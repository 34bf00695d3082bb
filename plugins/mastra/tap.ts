import { AsyncLocalStorage } from 'node:async_hooks';
import type { Runtime } from '../../core/index.js';
import { type AnyAgent, type CallOptions, optionsOf } from './agent-options.js';
import { atWork } from './agent-work.js';
import { AUDITOR } from './halt.js';
import { type AuditHook, hooks } from './hook.js';
import { networkAtWork } from './network-at-work.js';
import { type Scope, scopes } from './scope.js';
import { ToolScope } from './tool-scope.js';

/** Set while code enters an agent through an audited twin, until the agent is at work. */
export const entering = new AsyncLocalStorage<Runtime | undefined>();

type Method = (this: AnyAgent, ...args: unknown[]) => Promise<unknown>;
type Taps = Readonly<Record<string, (original: Method, method: string) => Method>>;

/** By which methods an agent is set to work, all others come down to these; and what else must be known of its work. */
const taps: Taps = {
  generate: working,
  stream: working,
  resumeGenerate: working,
  resumeStream: working,
  resume: working,
  network: networking,
  resumeNetwork: networking,
  generateLegacy: unseen,
  streamLegacy: unseen,
  __listLLMRequestProcessors: withProcessor,
  wrapToolWithHooks: inPlace,
};

const tapped = new WeakSet<object>();

/**
 * Sub-agents are called by the framework, and agents in tools by their tools; both on the agent itself, past any twin. So
 * the methods by which agents are set to work are tapped once, on the class that the given agent is of. Outside audited
 * runs a tap does nothing.
 */
export function tapClassOf(agent: object): void {
  if (!('listConfiguredInputProcessors' in agent)) return; // an agent that runs elsewhere
  for (let type = parentOf(agent); type && type !== Object.prototype; type = parentOf(type)) {
    if (tapped.has(type)) return;
    tapped.add(type);
    for (const [method, tap] of Object.entries(taps)) {
      if (!Object.hasOwn(type, method)) continue;
      const value = tap(type[method] as Method, method);
      Object.defineProperty(type, method, { configurable: true, writable: true, value });
    }
  }
}

function parentOf(object: object): Record<string, unknown> | null {
  return Object.getPrototypeOf(object);
}

/** The run that a call belongs to, or the runtime that audits it as a run of its own. */
function enclosing(): Scope | Runtime | undefined {
  const runtime = entering.getStore();
  const scope = scopes.getStore();
  return scope && (!runtime || scope.run.runtime === runtime) ? scope : runtime;
}

function working(original: Method, method: string): Method {
  // Options come last; agents that are resumed by `(runId, data, options)` are durable.
  const at = original.length - 1;
  return function (this: AnyAgent, ...args) {
    const outer = enclosing();
    if (!outer) return original.apply(this, args);
    for (const inner of Object.values(this.__getStaticAgents?.() ?? {})) tapClassOf(inner);
    const options = args[at] as CallOptions | undefined;
    const resumedId = method.startsWith('resume') ? (at === 2 ? String(args[0]) : options?.runId) : undefined;
    return optionsOf(this, options).then((given) =>
      given.untilIdle && UNTIL_IDLE.has(method)
        ? original.apply(this, args)
        : entering.run(undefined, () =>
            atWork({ agent: this, input: args[0], options, given, resumedId }, outer, (audited) =>
              original.apply(this, args.toSpliced(at, 1, audited)),
            ),
          ),
    );
  };
}

/** Told to go on until nothing is left to do, they call themselves, once for each turn of the agent's. */
const UNTIL_IDLE: ReadonlySet<string> = new Set(['stream', 'resumeStream']);

function networking(original: Method, method: string): Method {
  return function (this: AnyAgent, ...args) {
    const outer = enclosing();
    if (!outer) return original.apply(this, args);
    const work = () => original.apply(this, args);
    return entering.run(undefined, () => networkAtWork(args, method.startsWith('resume'), outer, work));
  };
}

function unseen(original: Method, method: string): Method {
  return function (this: AnyAgent, ...args) {
    const outer = enclosing();
    if (outer) {
      const { diagnostics } = 'run' in outer ? outer.run.runtime : outer;
      const message = `${method}() of ${this.name} is not audited; call generate() or stream()`;
      diagnostics.report({ code: 'agent-not-hooked', message });
    }
    return original.apply(this, args);
  };
}

/** Durable agents take no processors from a call's options, but ask for them here, and keep them for the next call. */
function withProcessor(original: Method): Method {
  return async function (this: AnyAgent, ...args) {
    const processors = (await original.apply(this, args)) as readonly { readonly id: string }[];
    const own = hooks.getStore();
    if (!own || processors.some(({ id }) => id === AUDITOR)) return processors;
    const current = (): AuditHook => hooks.getStore() ?? own;
    const ours: Pick<AuditHook, 'id' | 'processLLMRequest' | 'processLLMResponse'> = {
      id: AUDITOR,
      processLLMRequest: (request) => current().processLLMRequest(request),
      processLLMResponse: (response) => current().processLLMResponse(response),
    };
    return [...processors, ours];
  };
}

function inPlace(original: Method): Method {
  return function (this: AnyAgent, ...args) {
    const tool = original.apply(this, args) as unknown as { readonly execute?: unknown };
    const { execute } = tool;
    if (typeof execute !== 'function') return tool as never;
    const placed = async (...given: unknown[]): Promise<unknown> => {
      const caller = scopes.getStore();
      if (!caller) return execute.apply(tool, given);
      const scope = new ToolScope(String(args[0]), caller);
      try {
        return await scopes.run(scope, () => execute.apply(tool, given));
      } finally {
        scope.leave();
      }
    };
    return { ...tool, execute: placed } as never;
  };
}
