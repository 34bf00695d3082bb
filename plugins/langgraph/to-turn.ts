import type { BaseMessage } from '@langchain/core/messages';
import { isCommand } from '@langchain/langgraph';
import { type TurnInput, toJsonValue } from '../../core/index.js';
import { asMessage, type MessageFields, messageFields, textField } from './messages.js';
import type { SeenMessages } from './seen-messages.js';

/** What a run remembers between nodes, so that every message becomes one turn, told by the agent that caused it. */
export interface Ledger {
  readonly seen: SeenMessages;
  /** The agent behind each tool call id: a result belongs to the agent that asked, not to the node `tools`. */
  readonly callers: Map<string, string>;
  /** Ids of tool calls whose tool threw: createAgent before langchain 1.5.14 says so in the message's words only. */
  readonly failedCalls: Set<string>;
  /** Ids of tool calls whose tool the halt has stopped: what answers them is our own word, and not to be judged. */
  readonly haltedCalls: Set<string>;
}

export function newLedger(seen: SeenMessages, callers?: ReadonlyMap<string, string>): Ledger {
  return { seen, callers: new Map(callers), failedCalls: new Set(), haltedCalls: new Set() };
}

/** The node whose output is read. */
export interface Speaker {
  /** Who speaks when a message names nobody. */
  readonly agent: string;
  /** What the node was given: state that comes out as it went in is no news. */
  readonly input?: unknown;
  /** Whether the node ran a graph whose own turns have been told. */
  readonly calledGraph: boolean;
  /** What that graph returned, where it is known: of the state that the node returns, only what differs is news. */
  readonly innerResults?: readonly unknown[];
}

/** What a node hands to the graph, cut into parts: plain updates, and commands with a destination. */
interface Part {
  readonly update: unknown;
  readonly goto: readonly string[];
}

/** The turns in one node's output. */
export function turnsOf(output: unknown, speaker: Speaker, ledger: Ledger): TurnInput[] {
  return partsOf(output).flatMap((part) => turnsOfPart(part, speaker, ledger));
}

function turnsOfPart({ update, goto }: Part, speaker: Speaker, ledger: Ledger): TurnInput[] {
  const { messages, rest } = splitUpdate(update);
  const turns: TurnInput[] = [];
  for (const raw of messages) {
    const turn = messageTurn(raw, speaker.agent, ledger);
    if (turn) turns.push(turn);
  }
  const news = newsIn(rest, speaker);
  if (news !== undefined) turns.push({ agent: speaker.agent, kind: 'state', content: asText(news) });
  return goto.length === 0 ? turns : handedOver(turns, goto.join(', '), speaker);
}

/** A message that the graph was given, such as a chat's history. */
export function givenTurn(raw: unknown, ledger: Ledger): TurnInput | undefined {
  const message = asMessage(raw);
  if (!message) return undefined;
  if (message.getType() !== 'human')
    return messageTurn(raw, textField(message, 'name') ?? 'assistant', ledger);
  if (ledger.seen.has(raw, message)) return undefined;
  ledger.seen.add(raw, message);
  const agent = textField(message, 'name') ?? 'user';
  return { agent, kind: 'user', content: messageFields(message)?.content ?? '' };
}

/** The handoff stands on the last turn that goes with it, or is a turn of its own where nothing was said. */
function handedOver(turns: TurnInput[], handoffTo: string, { agent, calledGraph }: Speaker): TurnInput[] {
  const last = turns.at(-1);
  if (last) return [...turns.slice(0, -1), { ...last, handoffTo }];
  return calledGraph ? [] : [{ agent, kind: 'handoff', content: '', handoffTo }];
}

function messageTurn(
  raw: unknown,
  agent: string,
  { seen, callers, failedCalls, haltedCalls }: Ledger,
): TurnInput | undefined {
  const message = asMessage(raw);
  if (!message || seen.has(raw, message)) return undefined;
  seen.add(raw, message);
  const fields = messageFields(message);
  if (!fields) return undefined;
  const speaker = speakerOf(message, fields, agent, callers);
  for (const { id } of fields.toolCalls ?? []) if (id !== '') callers.set(id, speaker);
  const turn = { agent: speaker, ...fields };
  const call = fields.toolCallId;
  if (call === undefined) return turn;
  const isError = failedCalls.has(call) ? { isError: true } : {};
  const given = haltedCalls.has(call) ? { given: true } : {};
  return { ...turn, ...isError, ...given };
}

function speakerOf(
  message: BaseMessage,
  fields: MessageFields,
  agent: string,
  callers: ReadonlyMap<string, string>,
): string {
  if (fields.kind === 'tool') return callers.get(fields.toolCallId ?? '') ?? agent;
  return textField(message, 'name') ?? agent;
}

function partsOf(output: unknown): readonly Part[] {
  if (output === undefined || output === null) return [];
  if (Array.isArray(output) && output.some((item) => isCommand(item))) return output.flatMap(partsOf);
  if (!isCommand(output)) return [{ update: output, goto: [] }];
  const goto = [output.goto ?? []].flat().map(destination);
  return [{ update: output.update, goto: goto.filter((name) => name !== '__end__') }];
}

function destination(goto: unknown): string {
  return typeof goto === 'string' ? goto : String((goto as { node?: unknown }).node);
}

/** Keys that tell nothing beside the messages: LangGraph's own, and swarm's, which stands in the handoff. */
const BOOKKEEPING = new Set(['messages', 'jumpTo', 'activeAgent']);

/**
 * What a state update tells. A node that returns messages too may hand its whole state back, of which only what has changed
 * is news; one that returns state alone says it, even where it says the same again: a reducer may count it. What a graph
 * inside has returned was told there. A bare value is what a task of the functional API says in the end.
 */
function newsIn(rest: unknown, { input, calledGraph, innerResults = [] }: Speaker): unknown {
  if (!(rest instanceof Map)) return rest;
  if (calledGraph && innerResults.length === 0) return undefined;
  const mayRepeat = rest.has('messages');
  const isKnown = (key: string, value: unknown) =>
    BOOKKEEPING.has(key) ||
    (mayRepeat && sameValue(value, fieldOf(input, key))) ||
    innerResults.some((result) => sameValue(value, fieldOf(result, key)));
  const told = [...rest].filter(([key, value]) => !isKnown(key, value));
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}

function fieldOf(state: unknown, key: string): unknown {
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[key] : undefined;
}

function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  return JSON.stringify(toJsonValue(one)) === JSON.stringify(toJsonValue(other));
}

interface Split {
  readonly messages: readonly unknown[];
  /** The other keys, a value that has no keys, or nothing. */
  readonly rest: unknown;
}

/** A command's update may also be a list of key-value pairs in which a key may repeat; a bare message is one of `messages`. */
function splitUpdate(update: unknown): Split {
  if (update === undefined || update === null) return { messages: [], rest: undefined };
  if (typeof update !== 'object') return { messages: [], rest: update };
  if (saysMessagesOnly(update)) return { messages: listOf(update.messages), rest: undefined };
  const pairs = isPairs(update);
  if (!pairs && Array.isArray(update)) {
    return update.length > 0 && update.every((item) => typeof item === 'object' && asMessage(item))
      ? { messages: update, rest: undefined }
      : { messages: [], rest: update };
  }
  if (!pairs && asMessage(update)) return { messages: [update], rest: undefined };
  const entries: [string, unknown][] = pairs ? update : Object.entries(update);
  const byKey = new Map<string, unknown[]>();
  for (const [key, value] of entries)
    if (value !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), value]);
  const messages = (byKey.get('messages') ?? []).flatMap(listOf);
  return {
    messages,
    rest: new Map([...byKey].map(([key, values]) => [key, values.length === 1 ? values[0] : values])),
  };
}

/** The usual update, `{ messages: … }`; a message has other keys too. */
function saysMessagesOnly(update: object): update is { readonly messages: unknown } {
  if (Array.isArray(update) || !('messages' in update)) return false;
  const keys = Object.keys(update);
  return keys.length === 1 && keys[0] === 'messages';
}

const ROLES = new Set(['ai', 'assistant', 'human', 'user', 'system', 'tool']);

function isPairs(update: object): update is [string, unknown][] {
  return (
    Array.isArray(update) &&
    update.length > 0 &&
    update.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string') &&
    // ["ai", "text"] pairs are messages.
    !update.every(([role]) => ROLES.has(role))
  );
}

/** One message, several, or an `Overwrite` of the whole list. */
function listOf(value: unknown): readonly unknown[] {
  const list =
    typeof value === 'object' && value !== null && '__overwrite__' in value ? value.__overwrite__ : value;
  if (Array.isArray(list)) return list;
  return list === undefined || list === null ? [] : [list];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(toJsonValue(value));
}
