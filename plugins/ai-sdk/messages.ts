import { type TurnInput, toJsonValue } from '../../core/index.js';

/** A message or a part of one, as a caller may have written it: the SDK checks them later, and takes several shapes. */
export type Part = Readonly<Record<string, unknown>>;

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

/** The parts of a model's or a UI's message. */
export function partsOf(message: Part): readonly Part[] {
  const parts = message['content'] ?? message['parts'];
  if (typeof parts === 'string') return [{ type: 'text', text: parts }];
  return Array.isArray(parts) ? parts.filter(isPart) : [];
}

/** All text of one type of part, joined. */
export function textIn(parts: readonly Part[], type = 'text'): string {
  let text = '';
  for (const part of parts) if (part['type'] === type) text += part['text'] ?? '';
  return text;
}

/** JSON is left as the text it is where the value is text already. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(toJsonValue(value));
}

/** A tool's result as a message holds it: what the model is shown of it. */
export function resultIn(part: Part): { content: string; isError?: true } {
  const output = isPart(part['output']) ? part['output'] : {};
  const type = String(output['type']);
  if (type === 'execution-denied') {
    return { content: `denied: ${asText(output['reason'] ?? 'no reason given')}`, isError: true };
  }
  const value = type === 'content' ? contentText(output['value']) : asText(output['value']);
  return type.startsWith('error') ? { content: value, isError: true } : { content: value };
}

function contentText(value: unknown): string {
  if (!Array.isArray(value)) return asText(value);
  const shown = value.map((part) => {
    if (!isPart(part)) return asText(part);
    return part['type'] === 'text' ? asText(part['text']) : `[${part['mediaType'] ?? part['type']}]`;
  });
  return shown.join('\n');
}

/** What tools and humans have answered since the model spoke last; none of the conversation before is read. */
export function newestToolParts(messages: readonly unknown[]): readonly Part[] {
  const newest: (readonly Part[])[] = [];
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (!isPart(message) || message['role'] === 'assistant') break;
    if (message['role'] === 'tool') newest.unshift(partsOf(message));
  }
  return newest.flat();
}

/** A conversation as turns. What the system says is nobody's turn. */
export function givenTurns(messages: readonly unknown[]): TurnInput[] {
  return messages.filter(isPart).flatMap((message): TurnInput[] => {
    const parts = partsOf(message);
    if (message['role'] === 'user') return [{ agent: 'user', kind: 'user', content: textIn(parts) }];
    if (message['role'] === 'tool') return parts.flatMap(givenResult);
    return message['role'] === 'assistant' ? [givenWords(parts), ...parts.flatMap(givenResult)] : [];
  });
}

function givenWords(parts: readonly Part[]): TurnInput {
  const thought = textIn(parts, 'reasoning');
  const toolCalls = parts.flatMap((part) =>
    part['type'] === 'tool-call'
      ? [{ id: String(part['toolCallId']), name: String(part['toolName']), args: toJsonValue(part['input']) }]
      : [],
  );
  return {
    agent: 'assistant',
    kind: 'agent',
    content: textIn(parts),
    ...(thought === '' ? {} : { thought }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

function givenResult(part: Part): TurnInput[] {
  if (part['type'] !== 'tool-result') return [];
  const { toolCallId, toolName } = part;
  const call = { toolCallId: String(toolCallId), toolName: String(toolName) };
  return [{ agent: 'assistant', kind: 'tool', ...call, ...resultIn(part) }];
}
