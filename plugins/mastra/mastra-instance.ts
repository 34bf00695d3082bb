import type { Runtime } from '../../core/index.js';
import { auditedAgent } from './audited-agent.js';
import { auditedWorkflow, isInProcess } from './audited-workflow.js';
import { handingOn } from './handing-on.js';
import { isAgent, isWorkflow, type MastraInstance } from './hosts.js';

/** By what an instance hands out its agents and workflows, one or all. */
const HANDS_OUT: ReadonlySet<PropertyKey> = new Set([
  'getAgent',
  'getAgentById',
  'listAgents',
  'getWorkflow',
  'getWorkflowById',
  'listWorkflows',
]);

/** The instance's audited twin: the agents and workflows that it hands out are twins. */
export function auditedMastra<Host extends MastraInstance>(host: Host, runtime: Runtime): Host {
  const twins = new WeakMap<object, object>();
  const twinOf = (handedOut: unknown): unknown => {
    if (typeof handedOut !== 'object' || handedOut === null) return handedOut;
    if (handedOut instanceof Promise) return handedOut.then(twinOf);
    const known = twins.get(handedOut);
    if (known) return known;
    if (isWorkflow(handedOut) && !isInProcess(handedOut)) {
      const message = `workflow "${handedOut.id}" is run by another engine: hook the agents that its steps call`;
      runtime.diagnostics.report({ code: 'agent-not-hooked', message });
      return handedOut;
    }
    const twin = isAgent(handedOut)
      ? auditedAgent(handedOut, runtime)
      : isWorkflow(handedOut)
        ? auditedWorkflow(handedOut, runtime)
        : undefined;
    if (!twin) return Object.fromEntries(Object.entries(handedOut).map(([key, one]) => [key, twinOf(one)]));
    twins.set(handedOut, twin);
    return twin;
  };
  return handingOn(
    host,
    (call) => call(),
    (name, result) => (HANDS_OUT.has(name) ? twinOf(result) : result),
  );
}
