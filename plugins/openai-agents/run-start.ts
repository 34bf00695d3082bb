import type { AgentInputItem } from '@openai/agents';
import type { RunStart } from '../../core/index.js';
import type { AnyRunState } from './halt.js';
import { type Item, textOfMessage, toGiven, toItems } from './to-turn.js';

/** The tools that an agent names itself; those of its MCP servers are known to the server. */
interface Tooled {
  readonly tools?: readonly { readonly name?: unknown; readonly description?: unknown }[];
}

/** A run begins with what its first model call is shown, a session's history included: the task is the newest user's word. */
export function startOf(input: string | readonly AgentInputItem[], agent: Tooled): RunStart {
  return startAt(toItems(input), () => undefined, agent);
}

/** A run that takes up a saved state begins with all that stands there. */
export function startOfState(state: AnyRunState): RunStart {
  const { _originalInput: input, _generatedItems: generated, _currentAgent: agent } = state;
  const before = toItems(input);
  const items = generated as readonly {
    readonly rawItem?: unknown;
    readonly agent?: { readonly name: string };
  }[];
  const agentOf = (at: number) => items[at - before.length]?.agent?.name;
  return startAt([...before, ...items.map(({ rawItem }) => (rawItem ?? {}) as Item)], agentOf, agent);
}

function startAt(
  items: readonly Item[],
  agentOf: (at: number) => string | undefined,
  agent: Tooled,
): RunStart {
  const task = items.findLast(({ role }) => role === 'user');
  const named = (agent.tools ?? []).filter((tool) => typeof tool.name === 'string');
  return {
    task: task ? textOfMessage(task) : '',
    given: toGiven(items, agentOf),
    tools: named.map(({ name, description }) => ({
      name: name as string,
      ...(typeof description === 'string' ? { description } : {}),
    })),
  };
}
