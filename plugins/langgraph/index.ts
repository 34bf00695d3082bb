import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { type Plugin, type Runtime, SetupError } from '../../core/index.js';
import { declaredTools } from './declared-tools.js';
import { AuditHook } from './hook.js';
import { RunTree } from './run-tree.js';

export { GraphAuditHalt } from './halt.js';

/** Anything of LangGraph's or LangChain's that runs: a compiled `StateGraph`, `createAgent`, a compiled supervisor or swarm. */
export interface LangGraphHost {
  withConfig(config: { callbacks: BaseCallbackHandler[] }): unknown;
}

export const langGraphPlugin: Plugin<LangGraphHost> = { framework: 'langgraph', hook: withAuditor };

/**
 * Returns the graph's audited twin, of the same type; the graph itself stays as it was. Hook the outermost graph: all
 * inside it is seen, agents called from functions and tools too.
 *
 * When the auditor raises an alarm, the run rejects with {@link GraphAuditHalt} (an `AuditHalt`) before the next node
 * starts; the step that raised it is in the checkpoint.
 *
 * @example const app = withAuditor(graph.compile(), createRuntime());
 * @throws SetupError for a graph that is not compiled, or no graph
 */
export function withAuditor<Host extends LangGraphHost>(host: Host, runtime: Runtime): Host {
  if (typeof (host as Partial<LangGraphHost> | null)?.withConfig !== 'function') {
    const uncompiled = typeof (host as { compile?: unknown } | null)?.compile === 'function';
    const [what, remedy] = uncompiled
      ? ['the graph is not compiled', 'Pass graph.compile()']
      : ['this is no graph', 'Pass a compiled StateGraph, or what createAgent returned'];
    throw new SetupError('langgraph', what, remedy);
  }
  return host.withConfig({
    callbacks: [new AuditHook(runtime, declaredTools(host), treeOf(runtime))],
  }) as Host;
}

const trees = new WeakMap<Runtime, RunTree>();

function treeOf(runtime: Runtime): RunTree {
  const tree = trees.get(runtime) ?? new RunTree();
  trees.set(runtime, tree);
  return tree;
}
