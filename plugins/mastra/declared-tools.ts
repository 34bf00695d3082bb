import type { ToolSpec } from '../../core/index.js';
import type { AnyAgent, CallOptions } from './agent-options.js';

/** An agent's tools, and its sub-agents and workflows, which its model sees as tools. */
export async function declaredTools(agent: AnyAgent, options: CallOptions): Promise<ToolSpec[]> {
  const { requestContext, toolsets = {}, clientTools = {} } = options;
  const within = requestContext ? { requestContext } : {};
  const [tools, agents, workflows] = await Promise.all([
    agent.listTools(within),
    agent.listAgents(within),
    agent.listWorkflows(within),
  ]);
  return [
    ...[tools, ...Object.values(toolsets), clientTools].flatMap((named) => specs(named)),
    ...specs(agents, 'agent-'),
    ...specs(workflows, 'workflow-'),
  ];
}

/** Names of the tools that Mastra leaves to its caller: they have nothing to run. */
export async function callersTools(agent: AnyAgent, options: CallOptions): Promise<ReadonlySet<string>> {
  const { requestContext, toolsets = {}, clientTools = {} } = options;
  const tools = await agent.listTools(requestContext ? { requestContext } : {});
  const named = [tools, ...Object.values(toolsets)].flatMap((some) => Object.entries(some));
  const left = named.filter(([, tool]) => (tool as { readonly execute?: unknown }).execute === undefined);
  return new Set([...left.map(([name]) => name), ...Object.keys(clientTools)]);
}

function specs(named: object, prefix = ''): ToolSpec[] {
  return Object.entries(named).map(([name, tool]) => {
    const { description } = tool as { readonly description?: unknown };
    return { name: prefix + name, ...(typeof description === 'string' ? { description } : {}) };
  });
}
