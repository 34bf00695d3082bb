import type { BaseMessage } from '@langchain/core/messages';

/** What a message said under its id; a message that says something else under the same id is news. */
interface Said {
  readonly content: unknown;
  readonly calls: string;
}

/**
 * Which messages of a run are known already. Nodes that contain a graph, and nodes that return their whole state, hand
 * old messages out again.
 */
export class SeenMessages {
  readonly #objects = new WeakSet<object>();
  readonly #byId = new Map<string, Said>();
  readonly #answers = new Set<string>();
  /** Messages that had no id yet: LangGraph's reducer gives them one later, on the same object. */
  #unnamed: BaseMessage[] = [];

  has(raw: unknown, message: BaseMessage): boolean {
    this.#collectNames();
    if (isObject(raw) && this.#objects.has(raw)) return true;
    const answered = answeredCall(message);
    if (answered !== undefined && this.#answers.has(answered)) return true;
    const said = message.id === undefined ? undefined : this.#byId.get(message.id);
    return (
      said !== undefined && sameContent(said.content, message.content) && said.calls === callsOf(message)
    );
  }

  add(raw: unknown, message: BaseMessage): void {
    const answered = answeredCall(message);
    if (answered !== undefined) this.#answers.add(answered);
    if (message.id !== undefined)
      this.#byId.set(message.id, { content: message.content, calls: callsOf(message) });
    else if (raw === message) this.#unnamed.push(message);
    if (isObject(raw)) this.#objects.add(raw);
  }

  #collectNames(): void {
    if (this.#unnamed.length === 0) return;
    this.#unnamed = this.#unnamed.filter((message) => {
      if (message.id === undefined) return true;
      this.#byId.set(message.id, { content: message.content, calls: callsOf(message) });
      return false;
    });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A tool call is answered once, whatever copies of the answer go round. */
function answeredCall(message: BaseMessage): string | undefined {
  const id = 'tool_call_id' in message ? message.tool_call_id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function callsOf(message: BaseMessage): string {
  const calls = 'tool_calls' in message ? message.tool_calls : undefined;
  return Array.isArray(calls) ? calls.map(({ id, name }) => `${id}:${name}`).join() : '';
}

function sameContent(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
}
