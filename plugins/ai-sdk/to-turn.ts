import { type Said, type ToolCall, type ToolSpec, toJsonValue, type Usage } from '../../core/index.js';
import { asText, isPart, type Part, textIn } from './messages.js';

/** What one model call gave. @param parts of its content, tool calls with their input as the model wrote it */
export function toSaid(parts: readonly Part[], usage?: unknown): Said {
  return {
    content: textIn(parts),
    thought: textIn(parts, 'reasoning') || undefined,
    toolCalls: parts.filter(({ type }) => type === 'tool-call').map(toToolCall),
    usage: toUsage(usage),
  };
}

/** Whether the host is to act on it: run a tool of its own, or ask whether it may. */
export function isClientCall(part: Part): boolean {
  return part['type'] === 'tool-call' && part['providerExecuted'] !== true;
}

/** What a tool gave, as a step's content, a stream or the model's own content has it. */
export function toAnswer(part: Part): { content: string; isError?: true } {
  if (part['type'] === 'tool-error') return { content: errorText(part['error']), isError: true };
  const content = asText('result' in part ? part['result'] : part['output']);
  return part['isError'] === true ? { content, isError: true } : { content };
}

/** A tool may give results on the way, which nobody acts on. */
export function isAnswer({ type, preliminary }: Part): boolean {
  return type === 'tool-error' || (type === 'tool-result' && preliminary !== true);
}

/** The tools that an agent may call; their code stays where it is. */
export function toTools(tools: unknown): ToolSpec[] {
  if (!isPart(tools)) return [];
  return Object.entries(tools).map(([name, tool]) => {
    const description = isPart(tool) ? tool['description'] : undefined;
    return typeof description === 'string' ? { name, description } : { name };
  });
}

function toToolCall({ toolCallId, toolName, input }: Part): ToolCall {
  const call = { id: String(toolCallId), name: String(toolName) };
  if (typeof input !== 'string') return { ...call, args: toJsonValue(input) };
  if (input.trim() === '') return { ...call, args: {} };
  try {
    return { ...call, args: JSON.parse(input) };
  } catch {
    return { ...call, args: input, error: 'the arguments are no JSON' };
  }
}

/** Models of the second specification count flat. */
function toUsage(usage: unknown): Usage | undefined {
  if (!isPart(usage)) return undefined;
  const { inputTokens: input, outputTokens: output } = usage;
  const counts = {
    inputTokens: isPart(input) ? input['total'] : input,
    outputTokens: isPart(output) ? output['total'] : output,
    cachedInputTokens: isPart(input) ? input['cacheRead'] : usage['cachedInputTokens'],
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number'));
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : asText(error);
}
