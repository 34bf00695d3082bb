import type { ReadOptions } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { tellAg2Message } from './autogen/tell-ag2-message.js';
import { autoGenEventTypes, tellAutoGenEvent } from './autogen/tell-event.js';
import { RunBuilder } from './conversation/run-builder.js';
import type { Importer } from './importer.js';
import { fieldOf, isObject, listOf, textOf } from './json-object.js';
import { type FoundValue, jsonValues } from './json-values.js';
import { refuse, within } from './refuse.js';
import { runName, sourceOf } from './run-name.js';

/**
 * AutoGen 0.4 and newer (a TaskResult, its messages, lines of them, a saved team's state), and AutoGen 0.2 and AG2 (a
 * ChatResult, a group chat's messages).
 */
export const autoGenImporter: Importer = {
  format: 'autogen',
  title: 'AutoGen and AG2',
  recognises: (first) => threadsIn({ value: first, at: { file: '' } }).length > 0,
  read: readAutoGen,
};

export async function* readAutoGen(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  const found = await jsonValues(path, options);
  const events = found.filter(({ value }) => isEvent(value));
  const threads =
    events.length > 0 ? [{ messages: events, at: { file: path }, of: undefined }] : found.flatMap(threadsIn);
  if (threads.length === 0) refuse({ file: path, field: 'messages' }, 'no messages of AutoGen', options);
  for (const { messages, at, of } of threads) {
    const builder = new RunBuilder(options);
    const whole = messages.every(({ value, at: place }) => {
      if (isObject(value)) return true;
      refuse(place, 'no message', options);
      return false;
    });
    if (!whole) continue;
    for (const [index, { value, at: place }] of messages.entries()) {
      if (isEvent(value)) tellAutoGenEvent(builder, value, place);
      else tellAg2Message(builder, value, place, index === 0);
    }
    const id = textOf(of, 'id') ?? textOf(of, 'chat_id');
    yield builder.finish({ runId: id ?? runName(at), source: sourceOf(at) });
  }
}

interface Thread {
  readonly messages: readonly FoundValue[];
  readonly at: FoundValue['at'];
  readonly of: unknown;
}

function threadsIn({ value, at }: FoundValue): readonly Thread[] {
  const thread = (messages: readonly unknown[], field: string): Thread => ({
    messages: messages.map((item, index) => ({ value: item, at: within(at, `${field}[${index}]`) })),
    at,
    of: value,
  });
  if (isEvent(value)) return [thread([value], '')];
  if (Array.isArray(value)) return isEvent(value[0]) || isSpoken(value) ? [thread(value, '')] : [];
  const messages = listOf(value, 'messages');
  if (isEvent(messages[0])) return [thread(messages, 'messages')];
  const history = listOf(value, 'chat_history');
  if (isObject(history[0])) return [thread(history, 'chat_history')];
  for (const [name, state] of Object.entries(fieldsOf(fieldOf(value, 'agent_states')))) {
    const kept = listOf(state, 'message_thread');
    if (isEvent(kept[0])) return [thread(kept, `agent_states.${name}.message_thread`)];
  }
  return [];
}

function fieldsOf(value: unknown): object {
  return isObject(value) ? value : {};
}

function isEvent(value: unknown): boolean {
  return textOf(value, 'source') !== undefined && autoGenEventTypes.has(textOf(value, 'type') ?? '');
}

/** A group chat: messages that all have a speaker, several of them, which OpenAI's chats never have. */
function isSpoken(value: readonly unknown[]): boolean {
  const speakers = value.map((item) => textOf(item, 'name'));
  const plain = value.every((item) => isObject(item) && 'content' in item && 'role' in item);
  return plain && new Set(speakers).size > 1 && speakers.every((name) => name !== undefined);
}
