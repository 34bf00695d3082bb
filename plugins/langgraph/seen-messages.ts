import type { BaseMessage } from '@langchain/core/messages';
import { type JsonValue, toJsonValue } from '../../core/index.js';

/**
 * All that a message says, as a copy that no edit in place reaches. The same message saying something else is news:
 * middleware edits calls, people edit drafts.
 */
interface Words {
  readonly content: JsonValue;
  readonly calls: JsonValue;
}

/** Names are given when a step is over; where a reducer gives none, as custom ones may, nothing is to pile up. */
const MAX_UNNAMED = 256;

/**
 * Which messages of a run are known already. Nodes that contain a graph, and nodes that return their whole state, hand
 * old messages out again: as the same object, as a copy with the same id, or, if they were no message objects at first,
 * as the object that LangGraph made of them.
 */
export class SeenMessages {
  readonly #byObject = new WeakMap<object, Words>();
  readonly #byId = new Map<string, Words>();
  /** Messages that had no id yet: LangGraph's reducer gives them one later, on the same object. */
  #unnamed: BaseMessage[] = [];
  /** What was said by plain values (`["ai", "hi"]`), which LangGraph replaces by objects with an id; how often each. */
  readonly #plain = new Map<string, number>();
  /** While a past is read from checkpoints: then no message will come round as the same object. */
  #copies: boolean;

  constructor({ copies = false } = {}) {
    this.#copies = copies;
  }

  /** The past has been read; from here on messages are the graph's own objects. */
  endCopies(): void {
    this.#copies = false;
  }

  has(raw: unknown, message: BaseMessage): boolean {
    const before = (isObject(raw) ? this.#byObject.get(raw) : undefined) ?? this.#named(message);
    if (before) return isStill(before.content, message.content) && isStill(before.calls, callsOf(message));
    return message.id !== undefined && this.#wasPlain(raw, message);
  }

  add(raw: unknown, message: BaseMessage): void {
    const words = wordsOf(message);
    if (isObject(raw)) this.#byObject.set(raw, words);
    if (message.id !== undefined) this.#byId.set(message.id, words);
    else if (raw === message && !this.#copies) this.#awaitName(message);
    else {
      const key = plainKey(message, words);
      this.#plain.set(key, (this.#plain.get(key) ?? 0) + 1);
    }
  }

  #named({ id }: BaseMessage): Words | undefined {
    if (id === undefined) return undefined;
    if (this.#unnamed.some((message) => message.id !== undefined)) this.#collectNames();
    return this.#byId.get(id);
  }

  #awaitName(message: BaseMessage): void {
    if (this.#unnamed.length === MAX_UNNAMED) {
      this.#collectNames();
      if (this.#unnamed.length === MAX_UNNAMED) this.#unnamed.shift();
    }
    this.#unnamed.push(message);
  }

  #collectNames(): void {
    this.#unnamed = this.#unnamed.filter((message) => {
      if (message.id === undefined) return true;
      // What was told under the object, not what the object may say by now.
      this.#byId.set(message.id, this.#byObject.get(message) ?? wordsOf(message));
      return false;
    });
  }

  #wasPlain(raw: unknown, message: BaseMessage): boolean {
    if (this.#plain.size === 0) return false;
    const words = wordsOf(message);
    const key = plainKey(message, words);
    const times = this.#plain.get(key) ?? 0;
    if (times === 0) return false;
    if (times === 1) this.#plain.delete(key);
    else this.#plain.set(key, times - 1);
    if (isObject(raw)) this.#byObject.set(raw, words);
    if (message.id !== undefined) this.#byId.set(message.id, words);
    return true;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function wordsOf(message: BaseMessage): Words {
  return { content: toJsonValue(message.content), calls: toJsonValue(callsOf(message)) };
}

function callsOf(message: BaseMessage): unknown {
  const calls = 'tool_calls' in message ? message.tool_calls : undefined;
  return Array.isArray(calls) && calls.length > 0 ? calls : '';
}

/** Whether a value is what was copied from it. The quick look is the usual end, without a copy of every old message. */
function isStill(copy: JsonValue, value: unknown): boolean {
  try {
    if (isPlainly(copy, value)) return true;
  } catch {
    // A property that throws when it is read; the copy would say so.
  }
  return JSON.stringify(copy) === JSON.stringify(toJsonValue(value));
}

/** As deep as the copy. False also for whatever does not copy as it stands: a date, a `toJSON`, an undefined field. */
function isPlainly(copy: JsonValue, value: unknown): boolean {
  if (copy === value) return true;
  if (!isObject(copy) || !isObject(value)) return false;
  if (Array.isArray(copy)) {
    return (
      Array.isArray(value) &&
      copy.length === value.length &&
      copy.every((item, at) => isPlainly(item, value[at]))
    );
  }
  const prototype = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const copied = copy as Readonly<Record<string, JsonValue>>;
  const names = Object.keys(copied);
  return (
    names.length === Object.keys(fields).length &&
    names.every((name) => Object.hasOwn(fields, name) && isPlainly(copied[name] as JsonValue, fields[name]))
  );
}

function plainKey(message: BaseMessage, { content, calls }: Words): string {
  return JSON.stringify([message.getType(), content, calls]);
}
