import { fieldOf, textOf } from '../json-object.js';

/** What frameworks call the parts of every agent: names of no agent. */
const PARTS = new Set([
  '__start__',
  '__end__',
  'agent',
  'model',
  'model_request',
  'call_model',
  'llm',
  'tools',
  'tool',
  'chatbot',
  'prompt',
  'LangGraph',
  'CompiledStateGraph',
  'ChatPromptTemplate',
  'should_continue',
  'handler',
  'trace',
  'root',
]);

/** Whether a chain of this name may be an agent: a node that its user has named. */
export function mayBeAgent(name: string | undefined): name is string {
  return (
    name !== undefined && !PARTS.has(name) && !/^(Runnable|Chat[A-Z]|ChannelWrite|Branch|_write)/.test(name)
  );
}

/**
 * The agent that LangGraph's metadata names: `lc_agent_name`, or the outermost node of the checkpoint's path
 * (`solver:<id>|agent:<id>`) that its user has named, or the node itself.
 */
export function langGraphAgent(metadata: unknown): string | undefined {
  const named = textOf(metadata, 'lc_agent_name');
  if (named !== undefined) return named;
  const path = textOf(metadata, 'langgraph_checkpoint_ns') ?? textOf(metadata, 'checkpoint_ns') ?? '';
  const nodes = path.split('|').map((node) => node.split(':')[0] ?? '');
  const node = fieldOf(metadata, 'langgraph_node');
  const candidates = [...nodes.toReversed(), typeof node === 'string' ? node : ''];
  return candidates.find((name) => name !== '' && mayBeAgent(name));
}
