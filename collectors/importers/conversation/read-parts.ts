import type { ToolCall } from '../../../core/index.js';
import { fieldOf, isObject, listOf, shown, textOf } from '../json-object.js';
import { type Message, message } from './message.js';
import { toToolCall } from './read-calls.js';

export interface Parts {
  readonly content: string;
  readonly thought?: string | undefined;
  readonly toolCalls: readonly ToolCall[];
  /** Results that stand among a message's parts, as Anthropic's and OpenTelemetry's do. */
  readonly results: readonly Message[];
  readonly unknownParts: readonly string[];
}

const TEXT = new Set(['text', 'input_text', 'output_text', 'refusal', 'summary_text']);
const THOUGHT = new Set(['thinking', 'reasoning']);
const CALL = new Set(['tool_use', 'tool_call', 'tool-call', 'function_call']);
const RESULT = new Set(['tool_result', 'tool_call_response', 'tool-result', 'function_call_output']);

/** A message's content: text, or parts of it. A part without words (an image) leaves its name in brackets. */
export function readParts(content: unknown): Parts {
  if (!Array.isArray(content))
    return { content: shown(content), toolCalls: [], results: [], unknownParts: [] };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const toolCalls: ToolCall[] = [];
  const results: Message[] = [];
  const unknownParts: string[] = [];
  for (const given of content as unknown[]) {
    const part = fieldOf(given, 'message_content') ?? given;
    const type = textOf(part, 'type') ?? '';
    const text = partText(part);
    if (typeof part === 'string') texts.push(part);
    else if (THOUGHT.has(type)) thoughts.push(text ?? '');
    else if (CALL.has(type)) toolCalls.push(toToolCall(part));
    else if (RESULT.has(type)) results.push(readResult(part));
    else if (text !== undefined && (TEXT.has(type) || type === '')) texts.push(text);
    else {
      unknownParts.push(type || 'untyped');
      texts.push(`[${type || 'untyped'}]`);
    }
  }
  const thought = thoughts.filter(Boolean).join('\n');
  return {
    content: texts.join('\n'),
    ...(thought !== '' && { thought }),
    toolCalls,
    results,
    unknownParts,
  };
}

/** A result that is a part of a message, or an item of its own. */
export function readResult(part: unknown): Message {
  const id = ['tool_use_id', 'tool_call_id', 'toolCallId', 'call_id', 'id'].map((name) => textOf(part, name));
  const result = ['content', 'response', 'result', 'output']
    .map((name) => fieldOf(part, name))
    .find((found) => found !== undefined);
  const { content, unknownParts } = readParts(result);
  return message('tool', content, {
    toolCallId: id.find(Boolean),
    toolName: textOf(part, 'name') ?? textOf(part, 'toolName'),
    ...(fieldOf(part, 'is_error') === true && { isError: true }),
    unknownParts,
  });
}

function partText(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  const found = ['text', 'thinking', 'reasoning', 'refusal', 'content']
    .map((name) => fieldOf(part, name))
    .find((text) => typeof text === 'string');
  const summary = listOf(part, 'summary').map((item) => textOf(item, 'text') ?? '');
  return typeof found === 'string' ? found : summary.length > 0 ? summary.join('\n') : undefined;
}
