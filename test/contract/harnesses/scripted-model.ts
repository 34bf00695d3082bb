import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';

/** Says by the messages alone what it says, so that one agent serves any number of runs. */
export class ScriptedModel extends BaseChatModel {
  readonly #reply: (messages: readonly BaseMessage[]) => AIMessage;

  constructor(reply: (messages: readonly BaseMessage[]) => AIMessage) {
    super({});
    this.#reply = reply;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    const message = this.#reply(messages);
    return { generations: [{ text: message.text, message }] };
  }
}
