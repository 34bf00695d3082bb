import type { Runtime } from '../../core/index.js';
import type { AgentHost } from './hosts.js';
import { entering, tapClassOf } from './tap.js';

/**
 * The agent's audited twin. It hands each call on to the agent itself, whose fields are private, and says that what the
 * agent is set to work at is to be audited.
 */
export function auditedAgent<Host extends AgentHost>(host: Host, runtime: Runtime): Host {
  tapClassOf(host);
  const methods = new Map<unknown, unknown>();
  return new Proxy(host, {
    get(agent, name) {
      const value: unknown = Reflect.get(agent, name, agent);
      if (typeof value !== 'function' || name === 'constructor') return value;
      const known = methods.get(value);
      if (known) return known;
      const audited = (...args: unknown[]): unknown =>
        entering.run(runtime, () => Reflect.apply(value, agent, args));
      methods.set(value, audited);
      return audited;
    },
  });
}
