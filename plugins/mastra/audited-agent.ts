import type { Runtime } from '../../core/index.js';
import type { AgentHost } from './hosts.js';

/** The agent's audited twin. */
export function auditedAgent<Host extends AgentHost>(host: Host, _runtime: Runtime): Host {
  return host;
}
