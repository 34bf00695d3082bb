import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';

export const lookUp = tool(
  async ({ supplier }) =>
    `{"supplier":"${supplier}","item":"pump 40-B","stock":61,"unitPrice":214.50,"currency":"EUR","leadTimeDays":3}`,
  {
    name: 'get_offer',
    description: 'Asks a supplier for an offer',
    schema: z.object({ supplier: z.string(), quantity: z.number() }),
  },
);

/** Stands in for a model: asks its tool for `rounds` offers, then answers. It keeps nothing, so that it serves any number of runs. */
export class SearchingModel extends BaseChatModel {
  readonly #rounds: number;

  constructor(rounds: number) {
    super({});
    this.#rounds = rounds;
  }

  override _llmType(): string {
    return 'searching';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = this.#reply(messages.filter((said) => ToolMessage.isInstance(said)).length);
    return { generations: [{ message, text: message.text }] };
  }

  #reply(round: number): AIMessage {
    if (round >= this.#rounds)
      return new AIMessage('S-1004 delivers by Friday at the lowest price, 214.50 EUR.');
    const supplier = `S-${1_000 + round}`;
    return new AIMessage({
      content: `The list still has ${supplier}. I need its price and its lead time before I can compare.`,
      tool_calls: [{ id: `call_${round}`, name: 'get_offer', args: { supplier, quantity: 40 } }],
    });
  }
}
