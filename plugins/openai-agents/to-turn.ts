import type { AgentInputItem, ModelResponse } from '@openai/agents';
import type { Answered, JsonValue, Said, ToolCall, TurnInput } from '../../core/index.js';

/** An item of a conversation, of whatever kind: the SDK adds kinds, providers add more. */
export type Item = Readonly<Record<string, unknown>>;

/** What of a model's response both forms have: `getResponse` and the event that ends a stream. */
export type Response = Pick<ModelResponse, 'output'> & { readonly usage?: object | undefined };

/** @param handoffTo whom a call of that name passes control to */
export function toSaid(
  { output, usage }: Response,
  handoffTo: (toolName: string) => string | undefined,
): Said {
  const items = output as readonly Item[];
  const toolCalls = items.filter(isCall).map(toToolCall);
  return {
    content: items.filter(isMessage).map(textOfMessage).join('\n'),
    thought:
      items
        .filter(({ type }) => type === 'reasoning')
        .map(thoughtOf)
        .join('\n') || undefined,
    toolCalls,
    handoffTo: toolCalls.map(({ name }) => handoffTo(name)).find((agent) => agent !== undefined),
    usage: toUsage(usage),
  };
}

/** The answer to a call, if the item is one. */
export function toAnswer(item: Item): Answered | undefined {
  const { type, callId } = item;
  if (typeof callId !== 'string' || !/_(result|output)$/.test(String(type))) return undefined;
  return answer(callId, item['output']);
}

/** What tools that ran at the provider have answered: it stands in the model's own response. */
export function hostedAnswers({ output }: Response): Answered[] {
  return (output as readonly Item[]).flatMap((item) => {
    if (item['type'] !== 'hosted_tool_call' || item['output'] === undefined) return [];
    return answer(idOf(item), item['output']);
  });
}

/** What was said before the run. @param agentOf who said an item; a bare conversation does not tell */
export function toGiven(items: readonly Item[], agentOf: (at: number) => string | undefined): TurnInput[] {
  const callers = new Map<string, { agent: string; toolName: string }>();
  return items.flatMap((item, at): TurnInput[] => {
    const agent = agentOf(at) ?? 'assistant';
    if (item['role'] === 'user') return [{ agent: 'user', kind: 'user', content: textOfMessage(item) }];
    if (isMessage(item)) return [{ agent, kind: 'agent', content: textOfMessage(item) }];
    if (isCall(item)) {
      const call = toToolCall(item);
      callers.set(call.id, { agent, toolName: call.name });
      return [{ agent, kind: 'agent', content: '', toolCalls: [call] }];
    }
    const answered = toAnswer(item);
    return answered ? [{ agent, kind: 'tool', ...callers.get(answered.toolCallId), ...answered }] : [];
  });
}

export function toItems(input: string | readonly AgentInputItem[]): readonly Item[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : (input as readonly Item[]);
}

export function isCall({ type, callId }: Item): boolean {
  return type === 'hosted_tool_call' || (typeof callId === 'string' && /_call$/.test(String(type)));
}

export function toToolCall(item: Item): ToolCall {
  const { type, name, arguments: text, action, operation } = item;
  const id = idOf(item);
  if (typeof text !== 'string') {
    const args = (action ?? operation ?? item['actions'] ?? null) as JsonValue;
    return { id, name: String(name ?? type).replace(/_call$/, ''), args };
  }
  try {
    return { id, name: String(name), args: text === '' ? {} : JSON.parse(text) };
  } catch (cause) {
    return { id, name: String(name), args: text, error: String(cause) };
  }
}

export function textOfMessage({ content }: Item): string {
  return textOf(content, '');
}

function isMessage({ type, role }: Item): boolean {
  return role === 'assistant' && (type === undefined || type === 'message');
}

/** Hosted calls have no `callId`, and no `id` either before the provider gives one. */
function idOf({ callId, id, name, type }: Item): string {
  return String(callId ?? id ?? name ?? type);
}

function thoughtOf({ rawContent, content }: Item): string {
  return textOf(Array.isArray(rawContent) && rawContent.length > 0 ? rawContent : content, '');
}

function answer(toolCallId: string, output: unknown): Answered {
  const content = textOf(output, undefined);
  return { toolCallId, content, ...(isFailure(content) ? { isError: true } : {}) };
}

/** The SDK tells the model of a failed tool in words alone, and these are its own. */
function isFailure(content: string): boolean {
  return (
    /^An error occurred while (running the tool|parsing tool arguments)/.test(content) ||
    /^Tool '.*' timed out after/.test(content)
  );
}

/** @param rest what stands for a part without text; default: its JSON */
function textOf(value: unknown, rest: string | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((part) => textOf(part, rest)).join('');
  const { text, refusal, transcript } = (value ?? {}) as Item;
  for (const words of [text, refusal, transcript]) if (typeof words === 'string') return words;
  return rest ?? jsonOf(value);
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return Object.prototype.toString.call(value); // circular, or a BigInt within
  }
}

function toUsage(usage: object | undefined): Said['usage'] {
  const { inputTokens, outputTokens, inputTokensDetails } = (usage ?? {}) as Item;
  if (!inputTokens && !outputTokens) return undefined;
  const [details] = [inputTokensDetails].flat() as (Item | undefined)[];
  const cached = details?.['cached_tokens'];
  return {
    inputTokens: Number(inputTokens),
    outputTokens: Number(outputTokens),
    ...(typeof cached === 'number' ? { cachedInputTokens: cached } : {}),
  };
}
