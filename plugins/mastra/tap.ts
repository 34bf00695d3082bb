import { AsyncLocalStorage } from 'node:async_hooks';
import type { Runtime } from '../../core/index.js';
import type { AnyAgent } from './agent-options.js';
import { atWork, type Work } from './agent-work.js';
import { hooks } from './hook.js';
import { scopes } from './scope.js';

/** Set while code enters an agent through an audited twin, until the agent is at work. */
export const entering = new AsyncLocalStorage<Runtime | undefined>();

/** By which methods an agent is set to work; all others come down to these. */
const METHODS = ['generate', 'stream', 'resumeGenerate', 'resumeStream'] as const;

const tapped = new WeakSet<object>();

/**
 * Sub-agents are called by the framework, and agents in tools by their tools; both on the agent itself, past any twin. So
 * the methods by which agents are set to work are tapped once, on the class that the given agent is of. Outside audited
 * runs a tap does nothing.
 */
export function tapClassOf(agent: object): void {
  for (
    let type = Object.getPrototypeOf(agent);
    type && type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  ) {
    if (tapped.has(type)) return;
    tapped.add(type);
    for (const method of METHODS) {
      if (Object.hasOwn(type, method)) tap(type, method);
    }
    if (Object.hasOwn(type, '__listLLMRequestProcessors')) tapProcessors(type);
  }
}

type Method = (this: AnyAgent, ...args: unknown[]) => Promise<unknown>;

function tap(type: Record<string, Method>, method: (typeof METHODS)[number]): void {
  const original = type[method] as Method;
  Object.defineProperty(type, method, {
    configurable: true,
    writable: true,
    value: function (this: AnyAgent, ...args: unknown[]): Promise<unknown> {
      const runtime = entering.getStore();
      const scope = scopes.getStore();
      if (!scope && !runtime) return original.apply(this, args);
      const outer = scope && (!runtime || scope.run.runtime === runtime) ? scope : undefined;
      const work: Work = {
        agent: this,
        isResumed: method.startsWith('resume'),
        options: args[1] as Work['options'],
      };
      return entering.run(undefined, () =>
        atWork(work, outer ?? (runtime as Runtime), (options) => original.call(this, args[0], options)),
      );
    },
  });
}

/** Durable agents take no processors from a call's options; they ask for them here. */
function tapProcessors(type: Record<string, Method>): void {
  const original = type['__listLLMRequestProcessors'] as Method;
  Object.defineProperty(type, '__listLLMRequestProcessors', {
    configurable: true,
    writable: true,
    value: async function (this: AnyAgent, ...args: unknown[]): Promise<unknown> {
      const processors = (await original.apply(this, args)) as readonly { readonly id: string }[];
      const ours = hooks.getStore();
      return !ours || processors.includes(ours) ? processors : [...processors, ours];
    },
  });
}
