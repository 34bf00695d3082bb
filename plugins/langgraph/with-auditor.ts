import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { type Runtime, requireRuntime, SetupError } from '../../core/index.js';
import { type AuditParts, auditInvocations } from './audited-graph.js';
import { compiledGraphOf } from './compiled-graph.js';
import { declaredTools } from './declared-tools.js';
import { AuditHook } from './hook.js';
import { textField } from './messages.js';
import { RunTree } from './run-tree.js';

/** A graph that runs in this process: a compiled `StateGraph`, `createAgent`, a compiled supervisor or swarm, an `entrypoint`. */
export interface LangGraphHost {
  withConfig(config: { callbacks: BaseCallbackHandler[] }): unknown;
}

/**
 * Returns the graph's audited twin, of the same type; the graph itself stays as it was. Hook the outermost graph: all
 * inside it is seen, agents called from functions and tools too.
 *
 * When the auditor raises an alarm, nothing of the next node runs; the step that raised it is in the checkpoint. Under
 * `onAlarm: 'halt'` the run then rejects with {@link GraphAuditHalt} (an `AuditHalt`), under `'pause'` it is interrupted,
 * under `'recover'` it goes back and tries again.
 *
 * @example const app = withAuditor(graph.compile(), createRuntime());
 * @throws SetupError for a graph that is not compiled or runs elsewhere, for what is no graph or no runtime
 */
export function withAuditor<Host extends LangGraphHost>(host: Host, runtime: Runtime): Host {
  requireGraph(host);
  requireRuntime('langgraph', runtime);
  const tree = treeOf(runtime);
  tree.selfCheck.hooks(compiledGraphOf(host));
  return audited(
    host.withConfig({ callbacks: [new AuditHook(runtime, declaredTools(host), tree)] }) as Host,
    {
      runtime,
      tree,
      agentName: agentNameOf(host),
    },
  );
}

/** An agent of `createAgent` derives its graph anew from its own config, so that what is derived from it is hooked again. */
function audited<Host extends LangGraphHost>(twin: Host, parts: AuditParts): Host {
  auditInvocations(compiledGraphOf(twin), parts);
  if (!('nodes' in twin)) {
    const withConfig = twin.withConfig.bind(twin);
    twin.withConfig = (config) => audited(withConfig(config) as LangGraphHost, parts);
  }
  return twin;
}

function agentNameOf(host: LangGraphHost): string | undefined {
  return 'options' in host ? textField(host.options as object, 'name') : undefined;
}

/** @throws SetupError */
function requireGraph(host: unknown): void {
  const has = (name: string) => typeof host === 'object' && host !== null && name in host;
  const fault = (what: string, remedy: string) => new SetupError('langgraph', what, remedy);
  if (has('compile')) throw fault('the graph is not compiled', 'Pass graph.compile()');
  if (has('graphId')) {
    throw fault(
      'a RemoteGraph runs elsewhere and tells nothing of its steps',
      'Hook the graph where it is compiled',
    );
  }
  // A compiled graph has nodes, an agent has a graph; a model or a chain has neither.
  if (!has('withConfig') || !(has('nodes') || has('graph'))) {
    throw fault('this is no graph', 'Pass a compiled StateGraph, or what createAgent returned');
  }
}

const trees = new WeakMap<Runtime, RunTree>();

function treeOf(runtime: Runtime): RunTree {
  const tree = trees.get(runtime) ?? new RunTree(runtime.diagnostics);
  trees.set(runtime, tree);
  return tree;
}
