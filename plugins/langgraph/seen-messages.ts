import type { BaseMessage } from '@langchain/core/messages';
import { toJsonValue } from '../../core/index.js';

/** All that a message says. The same message saying something else is news: middleware edits calls, people edit drafts. */
interface Words {
  readonly content: string;
  readonly calls: string;
}

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
    this.#collectNames();
    const own = isObject(raw) ? this.#byObject.get(raw) : undefined;
    const before = own ?? (message.id === undefined ? undefined : this.#byId.get(message.id));
    const words = wordsOf(message);
    if (before) return before.content === words.content && before.calls === words.calls;
    return message.id !== undefined && this.#wasPlain(raw, message, words);
  }

  add(raw: unknown, message: BaseMessage): void {
    const words = wordsOf(message);
    if (isObject(raw)) this.#byObject.set(raw, words);
    if (message.id !== undefined) this.#byId.set(message.id, words);
    else if (raw === message && !this.#copies) this.#unnamed.push(message);
    else this.#plain.set(plainKey(message, words), (this.#plain.get(plainKey(message, words)) ?? 0) + 1);
  }

  #collectNames(): void {
    if (this.#unnamed.length === 0) return;
    this.#unnamed = this.#unnamed.filter((message) => {
      if (message.id === undefined) return true;
      // What was told under the object, not what the object may say by now.
      this.#byId.set(message.id, this.#byObject.get(message) ?? wordsOf(message));
      return false;
    });
  }

  #wasPlain(raw: unknown, message: BaseMessage, words: Words): boolean {
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
  const { content } = message;
  const calls = 'tool_calls' in message ? message.tool_calls : undefined;
  return {
    content: typeof content === 'string' ? content : JSON.stringify(toJsonValue(content)),
    calls: Array.isArray(calls) && calls.length > 0 ? JSON.stringify(toJsonValue(calls)) : '',
  };
}

function plainKey(message: BaseMessage, { content, calls }: Words): string {
  return JSON.stringify([message.getType(), content, calls]);
}
