import { type JsonValue, type ToolCall, toJsonValue } from '../../../core/index.js';
import { jsonOrNothing } from '../aftraj-action.js';
import { fieldOf, isObject, listOf, textOf } from '../json-object.js';

/** The calls of a message, as OpenAI, LangChain, Anthropic and OpenInference write them. */
export function callsIn(message: unknown): readonly ToolCall[] {
  const own = listOf(message, 'tool_calls');
  const calls = own.length > 0 ? own : listOf(message, 'additional_kwargs', 'tool_calls');
  const invalid = listOf(message, 'invalid_tool_calls');
  const legacy = fieldOf(message, 'function_call');
  return [...calls, ...invalid, ...(isObject(legacy) ? [legacy] : [])].map(toToolCall);
}

/** One call, of whatever form: `{id, function: {name, arguments}}`, `{id, name, args}`, `{id, name, input}`, … */
export function toToolCall(value: unknown): ToolCall {
  const call = fieldOf(value, 'tool_call') ?? value;
  const body = fieldOf(call, 'function') ?? call;
  const id = ['call_id', 'id', 'tool_call_id', 'toolCallId'].map((name) => textOf(call, name)).find(Boolean);
  const name = ['name', 'function_name', 'toolName'].map((field) => textOf(body, field)).find(Boolean);
  const given = ['arguments', 'args', 'input']
    .map((field) => fieldOf(body, field))
    .find((args) => args !== undefined);
  const fault = textOf(call, 'error');
  return {
    id: id ?? '',
    name: name ?? 'unnamed',
    ...toArgs(given),
    ...(fault !== undefined && { error: fault }),
  };
}

/** Arguments that are JSON text are parsed; other text is kept, and the call is invalid. */
export function toArgs(given: unknown): { readonly args: JsonValue; readonly error?: string } {
  if (given === undefined || given === '') return { args: {} };
  if (typeof given !== 'string') return { args: whole(given) };
  const parsed = jsonOrNothing(given);
  return parsed === undefined ? { args: given, error: 'the arguments are not JSON' } : { args: parsed };
}

/** Nesting that JSON cannot write again is cut; all else stays as it is. */
function whole(value: unknown): JsonValue {
  try {
    JSON.stringify(value);
    return value as JsonValue;
  } catch {
    return toJsonValue(value);
  }
}
