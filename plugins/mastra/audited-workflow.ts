import { Agent } from '@mastra/core/agent';
import type { Runtime } from '../../core/index.js';
import type { WorkflowHost } from './hosts.js';
import { entering, tapClassOf } from './tap.js';
import { tapRunsOf } from './workflow-tap.js';

/** The workflow's audited twin: its runs are the workflow's own, but that what they do is audited. */
export function auditedWorkflow<Host extends WorkflowHost>(host: Host, runtime: Runtime): Host {
  tapClassOf(Object.create(Agent.prototype)); // that of agents which code in steps calls
  return handingOn(host, runtime, (name, result) => {
    if (name !== 'createRun') return result;
    return (result as Promise<object>).then((run) => {
      tapRunsOf(run);
      return handingOn(run, runtime, (_name, of) => of);
    });
  });
}

/** Hands each call on to the target itself, whose fields are private. */
function handingOn<Target extends object>(
  target: Target,
  runtime: Runtime,
  returned: (name: unknown, result: unknown) => unknown,
): Target {
  const methods = new Map<unknown, unknown>();
  return new Proxy(target, {
    get(host, name, twin) {
      const value: unknown = Reflect.get(host, name, host);
      if (typeof value !== 'function' || name === 'constructor') return value;
      const known = methods.get(value);
      if (known) return known;
      const audited = (...args: unknown[]): unknown => {
        const result: unknown = entering.run(runtime, () => Reflect.apply(value, host, args));
        return result === host ? twin : returned(name, result);
      };
      methods.set(value, audited);
      return audited;
    },
  });
}
