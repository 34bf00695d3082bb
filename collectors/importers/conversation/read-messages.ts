import { fieldOf, isObject, listOf, textOf } from '../json-object.js';
import { type Message, message } from './message.js';
import { callsIn, toToolCall } from './read-calls.js';
import { readParts, readResult } from './read-parts.js';
import { usageOf } from './read-usage.js';

const ROLES: ReadonlyMap<string, Message['role']> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'agent'],
  ['ai', 'agent'],
  ['model', 'agent'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['tool-response', 'tool'],
  ['system', 'system'],
  ['developer', 'system'],
]);

/**
 * The messages that a value holds: OpenAI chat messages and response items, LangChain's (serialised by `lc`, by `type`
 * and `data`, or plain), Anthropic's blocks, OpenTelemetry's parts, OpenInference's. None where it holds none.
 */
export function readMessages(value: unknown): readonly Message[] {
  const found: Message[] = [];
  // No recursion: a hostile file may nest its lists as deeply as it likes.
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next.toReversed());
    else if (Array.isArray(fieldOf(next, 'messages'))) waiting.push(fieldOf(next, 'messages'));
    else found.push(...readMessage(next));
  }
  return found;
}

/** Whether a value is one message that {@link readMessages} reads. */
export function isMessage(value: unknown): boolean {
  return isObject(value) && readMessage(value).length > 0;
}

function readMessage(value: unknown): readonly Message[] {
  const given = unwrapped(value);
  if (!isObject(given)) return [];
  const type = textOf(given, 'type');
  if (type === 'function_call') return [message('agent', '', { toolCalls: [toToolCall(given)] })];
  if (type === 'function_call_output') return [readResult(given)];
  if (type === 'reasoning') return [message('agent', '', { thought: readParts([given]).thought })];
  const role = roleOf(given);
  if (role === undefined) return [];
  const { results, toolCalls, unknownParts, ...parts } = readParts(
    fieldOf(given, 'parts') ?? contentOf(given),
  );
  const thought = parts.thought ?? textOf(given, 'reasoning_content') ?? textOf(given, 'reasoning');
  const calls = callsIn(given);
  // LangChain tells a call twice, among the parts and beside them.
  const known = new Set(calls.map(({ id }) => id));
  const read = message(role, parts.content, {
    name: role === 'tool' ? undefined : textOf(given, 'name'),
    thought,
    toolCalls: [...calls, ...toolCalls.filter(({ id }) => !known.has(id))],
    unknownParts,
    usage: usageOf(fieldOf(given, 'usage_metadata') ?? fieldOf(given, 'usage')),
    ...(role === 'tool' && resultFields(given)),
  });
  const says = parts.content !== '' || read.toolCalls.length > 0 || thought !== undefined;
  return says || results.length === 0 ? [...results, read] : results;
}

function contentOf(given: unknown): unknown {
  const contents = listOf(given, 'contents');
  return contents.length > 0 ? contents : fieldOf(given, 'content');
}

function resultFields(given: unknown): Partial<Message> {
  const isError = fieldOf(given, 'status') === 'error' || fieldOf(given, 'is_error') === true;
  return {
    toolCallId: textOf(given, 'tool_call_id'),
    toolName: textOf(given, 'name'),
    ...(isError && { isError: true }),
  };
}

/** The message itself, without its serialiser's wrapping. */
function unwrapped(value: unknown): unknown {
  const inner = fieldOf(value, 'message');
  const given = isObject(inner) && !('role' in (value as object)) ? inner : value;
  const kwargs = fieldOf(given, 'kwargs');
  if (fieldOf(given, 'lc') !== undefined && isObject(kwargs)) {
    const name = listOf(given, 'id').at(-1);
    return { ...kwargs, type: /^(Human|AI|Tool|System|Function)/.exec(String(name))?.[0]?.toLowerCase() };
  }
  const data = fieldOf(given, 'data');
  return isObject(data) && roleOf(given) !== undefined ? { ...data, type: fieldOf(given, 'type') } : given;
}

function roleOf(given: unknown): Message['role'] | undefined {
  const named = textOf(given, 'role');
  if (named !== undefined) return ROLES.get(named.toLowerCase());
  const type = textOf(given, 'type')
    ?.replace(/Message(Chunk)?$/, '')
    .toLowerCase();
  return type === undefined ? undefined : ROLES.get(type);
}
