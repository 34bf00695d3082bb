import { jsonOrNothing } from '../aftraj-action.js';
import { type Message, message } from '../conversation/message.js';
import { readMessages } from '../conversation/read-messages.js';
import { fieldOf, listOf, shown, textOf } from '../json-object.js';
import { type Attributes, attributesOf, nested } from './attributes.js';

export interface Conversation {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
}

/** Where OpenTelemetry's conventions for generative AI kept messages, the newest first; then OpenLLMetry's flat keys. */
export function genAiConversation(span: unknown, attributes: Attributes): Conversation {
  const events = listOf(span, 'events').map((event) => ({
    name: textOf(event, 'name') ?? '',
    attributes: attributesOf(event),
  }));
  const details = events.find(({ name }) => name === 'gen_ai.client.inference.operation.details')?.attributes;
  const from = (key: string) => readMessages(parsed(attributes.get(key) ?? details?.get(key)));
  const input = from('gen_ai.input.messages');
  const output = from('gen_ai.output.messages');
  if (input.length + output.length > 0) return { input, output };
  const prompts = events.filter(({ name }) => name === 'gen_ai.content.prompt');
  const completions = events.filter(({ name }) => name === 'gen_ai.content.completion');
  if (prompts.length + completions.length > 0) {
    return {
      input: prompts.flatMap((event) => asMessages(event.attributes.get('gen_ai.prompt'), 'user')),
      output: completions.flatMap((event) => asMessages(event.attributes.get('gen_ai.completion'), 'agent')),
    };
  }
  const said = events.filter(({ name }) => /^gen_ai\.(system|user|assistant|tool)\.message$/.test(name));
  const chosen = events.filter(({ name }) => name === 'gen_ai.choice');
  if (said.length + chosen.length > 0) {
    return {
      input: said.flatMap((event) => eventMessage(event.attributes, event.name.split('.')[1])),
      output: chosen.flatMap((event) => {
        const body = parsed(event.attributes.get('message'));
        return body === undefined
          ? eventMessage(event.attributes, 'assistant')
          : asMessages(typeof body === 'string' ? body : { role: 'assistant', ...(body as object) }, 'agent');
      }),
    };
  }
  return {
    input: flat(nested(attributes, 'gen_ai.prompt')),
    output: flat(nested(attributes, 'gen_ai.completion')),
  };
}

export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return jsonOrNothing(value) ?? value;
}

/** Messages where a value holds some; else its text is one message. */
export function asMessages(value: unknown, role: Message['role']): readonly Message[] {
  const whole = parsed(value);
  const messages = readMessages(whole);
  if (messages.length > 0 || whole === undefined || whole === null || whole === '') return messages;
  return [message(role, shown(whole))];
}

function eventMessage(attributes: Attributes, role: string | undefined): readonly Message[] {
  const fields = Object.fromEntries(
    ['content', 'role', 'name', 'id', 'tool_calls'].map((key) => [key, parsed(attributes.get(key))]),
  );
  const read = { ...fields, role: fields['role'] ?? role, tool_call_id: fields['id'] };
  return readMessages(read);
}

/** OpenLLMetry writes a call as `gen_ai.completion.0.tool_calls.0.name`. */
function flat(list: unknown): readonly Message[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) =>
    readMessages({
      role: textOf(item, 'role') ?? 'user',
      content: parsed(fieldOf(item, 'content')),
      tool_calls: listOf(item, 'tool_calls'),
      tool_call_id: fieldOf(item, 'tool_call_id'),
    }),
  );
}
