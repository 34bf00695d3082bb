import type { Runtime } from '../../core/index.js';
import { handingOn } from './handing-on.js';
import type { AgentHost } from './hosts.js';
import { entering, tapClassOf } from './tap.js';
import { tapOurCopy } from './taps.js';

/** The agent's audited twin: the agent itself at work, but that what it works at is audited. */
export function auditedAgent<Host extends AgentHost>(host: Host, runtime: Runtime): Host {
  tapOurCopy();
  tapClassOf(host);
  return handingOn(
    host,
    (call) => entering.run(runtime, call),
    (_name, result) => result,
  );
}
