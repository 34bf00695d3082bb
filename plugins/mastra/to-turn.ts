import type { MastraDBMessage } from '@mastra/core/agent';
import { type Answered, type Said, type TurnInput, toJsonValue, type Usage } from '../../core/index.js';

/** A part of a model's answer, as Mastra streams it. */
export interface Chunk {
  readonly type: string;
  readonly payload?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a model has said, from the chunks of one model call. */
export function saidIn(chunks: readonly Chunk[]): Said {
  let content = '';
  let thought = '';
  const toolCalls = [];
  let usage: Usage | undefined;
  for (const { type, payload } of chunks) {
    const fields = (payload ?? {}) as Fields;
    if (type === 'text-delta') content += String(fields['text']);
    else if (type === 'reasoning-delta') thought += String(fields['text']);
    else if (type === 'tool-call') {
      const { toolCallId, toolName, args } = fields;
      toolCalls.push({ id: String(toolCallId), name: String(toolName), args: toJsonValue(args ?? {}) });
    } else if (type === 'finish') usage = usageIn(fields);
  }
  return { content, thought: thought === '' ? undefined : thought, toolCalls, usage };
}

function usageIn({ output }: Fields): Usage | undefined {
  const usage = (output as { readonly usage?: Fields } | undefined)?.usage;
  if (!usage) return undefined;
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : undefined);
  return {
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    cachedInputTokens: count('cachedInputTokens'),
  };
}

/** A tool's answer where Mastra keeps it: in a message's part, together with the call. */
export interface ToolPart {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly state: string;
  readonly result?: unknown;
  readonly errorText?: unknown;
  /** A human's word on the call, where it was asked for. */
  readonly approval?: { readonly approved?: boolean; readonly reason?: string };
}

/** The part's tool call, if it has been answered. */
export function answeredIn(part: unknown): ToolPart | undefined {
  const { type, toolInvocation } = part as Fields & { readonly toolInvocation?: ToolPart };
  if (type !== 'tool-invocation' || !toolInvocation) return undefined;
  const { state } = toolInvocation;
  return state === 'result' || state === 'output-error' || state === 'output-denied'
    ? toolInvocation
    : undefined;
}

export function answerOf({
  toolName,
  state,
  result,
  errorText,
  approval,
}: ToolPart): Omit<Answered, 'toolCallId'> {
  if (approval?.approved === false) return { content: approval.reason ?? 'declined' };
  if (state === 'output-error') return { content: asText(errorText ?? result), isError: true };
  if (isFailure(result)) return { content: String(result.message), isError: true };
  return { content: isDelegation(toolName, result) ? result.text : asText(result) };
}

/** A sub-agent's answer comes with ids of its thread and its tools' results, which its own turns tell. */
function isDelegation(toolName: string, result: unknown): result is { readonly text: string } {
  return toolName.startsWith('agent-') && typeof (result as Fields | undefined)?.['text'] === 'string';
}

/** Input that a tool's schema refuses comes back as a result: `{ error: true, message, validationErrors }`. */
function isFailure(result: unknown): result is { readonly message: unknown } {
  const { error, message } = (result ?? {}) as Fields;
  return error === true && message !== undefined;
}

/** What a user has said, to the agent or into its thread (`sendMessage`). */
export function isUsers({ role, type }: MastraDBMessage): boolean {
  return role === 'user' || (role === 'signal' && type === 'user');
}

/** A message that was there before the run, or the task. */
export function givenTurn(message: MastraDBMessage, agent: string): TurnInput | undefined {
  const isOfUser = isUsers(message);
  if (!isOfUser && message.role !== 'assistant') return undefined;
  const content = textOf(message);
  if (content === '') return undefined;
  return isOfUser ? { agent: 'user', kind: 'user', content } : { agent, kind: 'agent', content };
}

export function textOf({ content }: MastraDBMessage): string {
  const parts = content.parts ?? [];
  return (
    parts.map((part) => (part.type === 'text' ? part.text : '')).join('') || String(content.content ?? '')
  );
}

function asText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(toJsonValue(value));
}
