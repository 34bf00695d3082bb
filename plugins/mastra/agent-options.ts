import type { Agent, AgentExecutionOptions } from '@mastra/core/agent';
import type { InputProcessor, OutputProcessor } from '@mastra/core/processors';
import type { ToolSpec } from '../../core/index.js';

// Which tools and outputs an agent has is its users' business.
// biome-ignore lint/suspicious/noExplicitAny: `Agent` is invariant in its parameters
export type AnyAgent = Agent<any, any, any, any>;
export type CallOptions = Partial<AgentExecutionOptions<unknown>> & { readonly runId?: string };

type Processors = NonNullable<CallOptions['inputProcessors']>;
type OutputProcessors = NonNullable<CallOptions['outputProcessors']>;

/** The options that hold for a call; those of the call go before the agent's own. */
export async function withDefaults(agent: AnyAgent, options: CallOptions | undefined): Promise<CallOptions> {
  const { requestContext } = options ?? {};
  const defaults = await agent.getDefaultOptions(requestContext ? { requestContext } : {});
  return { ...(defaults as CallOptions), ...options };
}

/** A list of the call's own replaces the agent's, so ours takes the agent's along. */
export async function withInput(
  agent: AnyAgent,
  { inputProcessors, requestContext }: CallOptions,
  ours: InputProcessor,
): Promise<Processors> {
  return [...(inputProcessors ?? (await agent.listConfiguredInputProcessors(requestContext))), ours];
}

export async function withOutput(
  agent: AnyAgent,
  { outputProcessors, requestContext }: CallOptions,
  ours: OutputProcessor,
): Promise<OutputProcessors> {
  return [...(outputProcessors ?? (await agent.listConfiguredOutputProcessors(requestContext))), ours];
}

/** Tools, and sub-agents and workflows, which the model sees as tools. */
export async function toolsOf(agent: AnyAgent, options: CallOptions): Promise<ToolSpec[]> {
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

function specs(named: object, prefix = ''): ToolSpec[] {
  return Object.entries(named).map(([name, tool]) => {
    const { description } = tool as { readonly description?: unknown };
    return { name: prefix + name, ...(typeof description === 'string' ? { description } : {}) };
  });
}
