import { type BaseMessage, coerceMessageLikeToMessage } from '@langchain/core/messages';
import { type ToolCall, type TurnInput, toJsonValue } from '../../core/index.js';

/** What any object that stands for a message has. */
const MESSAGE_SIGNS = ['role', 'type', 'lc', 'getType', '_getType'];

/**
 * LangGraph lets nodes return messages as objects, tuples, role/content pairs and bare strings. Other objects are told
 * apart first: for one that is no message, LangChain writes all of it into an error's text.
 */
export function asMessage(raw: unknown): BaseMessage | undefined {
  if (isBlock(raw) && !Array.isArray(raw) && !MESSAGE_SIGNS.some((sign) => sign in raw)) return undefined;
  try {
    return coerceMessageLikeToMessage(raw as Parameters<typeof coerceMessageLikeToMessage>[0]);
  } catch {
    return undefined;
  }
}

/** What a message says, in a turn's terms; who says it, and where, is the caller's to add. */
export type MessageFields = Pick<
  TurnInput,
  'kind' | 'content' | 'thought' | 'toolCalls' | 'toolCallId' | 'toolName' | 'isError' | 'usage'
>;

/** @returns nothing for a message that only edits the state, such as a removal */
export function messageFields(message: BaseMessage): MessageFields | undefined {
  const type = message.getType();
  if (type === 'remove') return undefined;
  const content = textOf(message);
  if (type === 'tool' || type === 'function') {
    return {
      kind: 'tool',
      content,
      toolCallId: textField(message, 'tool_call_id'),
      toolName: textField(message, 'name'),
      isError: textField(message, 'status') === 'error' ? true : undefined,
    };
  }
  if (type === 'system') return { kind: 'state', content };
  const calls = toolCallsOf(message);
  return {
    kind: 'agent',
    content,
    thought: thoughtOf(message),
    toolCalls: calls.length > 0 ? calls : undefined,
    usage: usageOf(message),
  };
}

type Block = Readonly<Record<string, unknown>>;

function blocksOf(message: BaseMessage): readonly Block[] {
  return listField(message, 'content');
}

/** Blocks that are told elsewhere: as thought, or as tool calls. */
const TOLD_ELSEWHERE = new Set([
  'thinking',
  'redacted_thinking',
  'reasoning',
  'tool_use',
  'tool_call',
  'function_call',
]);

/** Text blocks as they are, anything else (an image, an attachment) as JSON, so that nothing is passed over. */
function textOf(message: BaseMessage): string {
  const content: unknown = message.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content))
    return content === undefined || content === null ? '' : JSON.stringify(toJsonValue(content));
  return content
    .filter((block) => !TOLD_ELSEWHERE.has(block?.type))
    .map((block) =>
      typeof block === 'string'
        ? block
        : typeof block?.text === 'string'
          ? block.text
          : JSON.stringify(toJsonValue(block)),
    )
    .join('\n');
}

/** Providers agree on no field for reasoning: DeepSeek's and OpenAI's raw fields, Anthropic's and standard blocks. */
function thoughtOf(message: BaseMessage): string | undefined {
  const extra = objectField(message, 'additional_kwargs');
  const raw = extra['reasoning_content'];
  if (typeof raw === 'string' && raw !== '') return raw;
  const summaries = objectField(extra, 'reasoning')['summary'];
  if (typeof message.content === 'string' && summaries === undefined) return undefined;
  const parts = blocksOf(message).flatMap((block) => {
    if (block['type'] === 'thinking') return [block['thinking']];
    if (block['type'] === 'reasoning') return [block['reasoning'] ?? joinSummary(block['summary'])];
    return [];
  });
  const thought = [...parts, joinSummary(summaries)]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n');
  return thought === '' ? undefined : thought;
}

function joinSummary(summary: unknown): string {
  if (!Array.isArray(summary)) return '';
  return summary
    .map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : ''))
    .join('\n');
}

/** Parsed calls, calls that the model wrote in a form that could not be parsed, and calls that stand in the content only. */
function toolCallsOf(message: BaseMessage): ToolCall[] {
  const valid = listField(message, 'tool_calls');
  const invalid = listField(message, 'invalid_tool_calls');
  if (valid.length + invalid.length === 0 && typeof message.content === 'string') return [];
  const inContent = valid.length > 0 ? [] : blocksOf(message).filter((block) => block['type'] === 'tool_use');
  return [
    ...valid.map((call) => toolCall(call, call['args'])),
    ...inContent.map((call) => toolCall(call, call['input'])),
    ...invalid.map((call) => ({
      ...toolCall(call, call['args']),
      error: textField(call, 'error') ?? 'the arguments could not be parsed',
    })),
  ];
}

function toolCall({ id, name }: Block, args: unknown): ToolCall {
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    args: toJsonValue(args),
  };
}

function usageOf(message: BaseMessage): TurnInput['usage'] {
  const usage = field(message, 'usage_metadata');
  if (!isBlock(usage)) return undefined;
  const inputTokens = tokens(usage['input_tokens']);
  const outputTokens = tokens(usage['output_tokens']);
  const cachedInputTokens = tokens(objectField(usage, 'input_token_details')['cache_read']);
  const isTold = inputTokens !== undefined || outputTokens !== undefined || cachedInputTokens !== undefined;
  return isTold ? { inputTokens, outputTokens, cachedInputTokens } : undefined;
}

function tokens(value: unknown): number | undefined {
  return Number.isFinite(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** Messages come from providers, fakes and hand-written code: a field may be missing or be anything. */
function field(holder: object, name: string): unknown {
  return (holder as Readonly<Record<string, unknown>>)[name];
}

export function textField(holder: object, name: string): string | undefined {
  const value = field(holder, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function objectField(holder: object, name: string): Block {
  const value = field(holder, name);
  return isBlock(value) ? value : {};
}

const NONE: readonly Block[] = [];

function listField(holder: object, name: string): readonly Block[] {
  const value = field(holder, name);
  return Array.isArray(value) && value.length > 0 ? value.filter(isBlock) : NONE;
}

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null;
}
