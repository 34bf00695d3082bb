import type { Message } from '../conversation/message.js';

/**
 * Which messages of a trace were told already. Every model call carries the whole conversation, often under other roles
 * and without its ids, so messages are told apart by what they say, and counted: a word said twice is told twice.
 */
export class ToldMessages {
  readonly #counts = new Map<string, number>();

  add(message: Message): void {
    const key = keyOf(message);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Those of one conversation that are new, in their order. */
  newOnes(conversation: readonly Message[]): readonly Message[] {
    const seen = new Map<string, number>();
    return conversation.filter((message) => {
      const key = keyOf(message);
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      return count > (this.#counts.get(key) ?? 0);
    });
  }
}

function keyOf({ content, toolCalls, toolCallId }: Message): string {
  const calls = toolCalls.map(({ id, name }) => `${id} ${name}`);
  return JSON.stringify([content.trim(), calls, toolCallId ?? '']);
}
