import { readMessages } from '../conversation/read-messages.js';
import { fieldOf } from '../json-object.js';
import { type Attributes, nested } from './attributes.js';
import { asMessages, type Conversation } from './gen-ai.js';

/** The messages of a model call as OpenInference flattens them; else its whole input and output. */
export function openInferenceConversation(attributes: Attributes): Conversation {
  const input = messagesUnder(attributes, 'llm.input_messages');
  const output = messagesUnder(attributes, 'llm.output_messages');
  if (input.length + output.length > 0) return { input, output };
  return {
    input: asMessages(attributes.get('input.value'), 'user'),
    output: asMessages(attributes.get('output.value'), 'agent'),
  };
}

function messagesUnder(attributes: Attributes, prefix: string) {
  const list = nested(attributes, prefix);
  return Array.isArray(list)
    ? list.flatMap((item: unknown) => readMessages(fieldOf(item, 'message') ?? item))
    : [];
}
