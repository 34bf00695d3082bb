import type { BaseMessage } from '@langchain/core/messages';
import { isCommand } from '@langchain/langgraph';
import { type TurnInput, toJsonValue } from '../../core/index.js';
import { asMessage, type MessageFields, messageFields } from './messages.js';
import type { SeenMessages } from './seen-messages.js';

/** What a run remembers between nodes, so that every message becomes one turn, told by the agent that caused it. */
export interface Ledger {
  readonly seen: SeenMessages;
  /** The agent behind each tool call id: a result belongs to the agent that asked, not to the node `tools`. */
  readonly callers: Map<string, string>;
}

/** What a node hands to the graph, cut into parts: plain updates, and commands with a destination. */
interface Part {
  readonly update: unknown;
  readonly goto: readonly string[];
}

/**
 * The turns in one node's output.
 * @param agent who speaks when a message names nobody
 * @param inner whether the node ran a graph whose own turns have been told; its state keys then tell nothing new
 */
export function turnsOf(output: unknown, agent: string, inner: boolean, ledger: Ledger): TurnInput[] {
  return partsOf(output).flatMap((part) => {
    const { messages, rest } = splitUpdate(part.update);
    const spoken = messages.flatMap((raw) => messageTurn(raw, agent, ledger) ?? []);
    const handoffTo = part.goto.length > 0 ? part.goto.join(', ') : undefined;
    const last = spoken.at(-1);
    if (last && handoffTo) spoken[spoken.length - 1] = { ...last, handoffTo };
    const silent = spoken.length === 0 && !inner;
    if (silent && handoffTo)
      return [{ agent, kind: 'handoff', content: rest === undefined ? '' : asText(rest), handoffTo }];
    if (silent && messages.length === 0 && rest !== undefined)
      return [{ agent, kind: 'state', content: asText(rest) }];
    return spoken;
  });
}

/** A message that the graph was given, such as a chat's history. */
export function givenTurn(raw: unknown, ledger: Ledger): TurnInput | undefined {
  const message = asMessage(raw);
  if (!message || ledger.seen.has(raw, message)) return undefined;
  if (message.getType() !== 'human') return messageTurn(raw, message.name ?? 'assistant', ledger);
  ledger.seen.add(raw, message);
  return { agent: message.name ?? 'user', kind: 'user', content: messageFields(message)?.content ?? '' };
}

function messageTurn(raw: unknown, agent: string, { seen, callers }: Ledger): TurnInput | undefined {
  const message = asMessage(raw);
  const fields = message && messageFields(message);
  if (!message || !fields || seen.has(raw, message)) return undefined;
  seen.add(raw, message);
  const speaker = speakerOf(message, fields, agent, callers);
  for (const { id } of fields.toolCalls ?? []) callers.set(id, speaker);
  return { agent: speaker, ...fields };
}

function speakerOf(
  message: BaseMessage,
  fields: MessageFields,
  agent: string,
  callers: Map<string, string>,
): string {
  if (fields.kind === 'tool') return callers.get(fields.toolCallId ?? '') ?? agent;
  return message.name || agent;
}

function partsOf(output: unknown): readonly Part[] {
  if (output === undefined || output === null) return [];
  if (Array.isArray(output) && output.some((item) => isCommand(item))) return output.flatMap(partsOf);
  if (!isCommand(output)) return [{ update: output, goto: [] }];
  return [
    {
      update: output.update,
      goto: [output.goto ?? []]
        .flat()
        .map(destination)
        .filter((name) => name !== '__end__'),
    },
  ];
}

function destination(goto: unknown): string {
  return typeof goto === 'string' ? goto : String((goto as { node?: unknown }).node);
}

/** A command's update may also be a list of key-value pairs in which a key may repeat; a bare message is one of `messages`. */
function splitUpdate(update: unknown): { messages: readonly unknown[]; rest: unknown } {
  if (update === undefined || update === null) return { messages: [], rest: undefined };
  if (typeof update !== 'object') return { messages: [], rest: update };
  if (!isPairs(update) && (Array.isArray(update) || asMessage(update)))
    return { messages: [update].flat(), rest: undefined };
  const entries: [string, unknown][] = isPairs(update) ? update : Object.entries(update);
  const messages = entries.filter(([key]) => key === 'messages').flatMap(([, value]) => listOf(value));
  const rest = entries.filter(
    ([key, value]) => key !== 'messages' && key !== 'jumpTo' && value !== undefined,
  );
  return { messages, rest: rest.length > 0 ? Object.fromEntries(rest) : undefined };
}

function isPairs(update: object): update is [string, unknown][] {
  return (
    Array.isArray(update) &&
    update.length > 0 &&
    update.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string') &&
    // ["ai", "text"] pairs are messages.
    !update.every(([role]) => ['ai', 'assistant', 'human', 'user', 'system', 'tool'].includes(role))
  );
}

/** One message, several, or an `Overwrite` of the whole list. */
function listOf(value: unknown): readonly unknown[] {
  const overwritten =
    typeof value === 'object' && value !== null && '__overwrite__' in value ? value.__overwrite__ : value;
  if (Array.isArray(overwritten)) return isMessageTuple(overwritten) ? [overwritten] : overwritten;
  return overwritten === undefined || overwritten === null ? [] : [overwritten];
}

function isMessageTuple(value: readonly unknown[]): boolean {
  return (
    value.length === 2 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'string' &&
    asMessage(value) !== undefined
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(toJsonValue(value));
}
