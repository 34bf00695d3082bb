import type { ReadOptions, ToolSpec } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { isMessage, readMessages } from './conversation/read-messages.js';
import { RunBuilder } from './conversation/run-builder.js';
import type { Importer } from './importer.js';
import { fieldOf, listOf, textOf } from './json-object.js';
import { type FoundValue, jsonValues } from './json-values.js';
import { refuse, within } from './refuse.js';
import { runName, sourceOf } from './run-name.js';

/** Chats as OpenAI's API has them: a list of messages, an object with `messages`, or lines of either. */
export const openAiMessagesImporter: Importer = {
  format: 'openai-messages',
  title: 'OpenAI-style messages',
  recognises: (first) => chatIn(first).some(isMessage),
  read: readOpenAiMessages,
};

/** One run for each chat. Lines that are single messages are one chat together. */
export async function* readOpenAiMessages(
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<RecordedRun> {
  const found = await jsonValues(path, options);
  const lone = found.filter(({ value }) => chatIn(value).length === 0 && isMessage(value));
  if (lone.length > 0 && lone.length === found.length) {
    const builder = new RunBuilder(options);
    for (const { value, at } of lone) for (const told of readMessages(value)) builder.tell(told, { at });
    yield builder.finish({ runId: runName({ file: path }), source: path });
    return;
  }
  for (const one of found.flatMap(chatsIn)) {
    const run = chatRun(one, options);
    if (run) yield run;
  }
}

/** A file may be one list of chats. */
function chatsIn({ value, at }: FoundValue): FoundValue[] {
  const isListOfChats =
    Array.isArray(value) && value.some((item) => Array.isArray(item) || listOf(item, 'messages').length > 0);
  if (!isListOfChats) return [{ value, at }];
  return value.map((chat: unknown, index) => ({ value: chat, at: within(at, `[${index}]`) }));
}

function chatRun({ value, at }: FoundValue, options: ReadOptions): RecordedRun | undefined {
  const messages = chatIn(value);
  const field = Array.isArray(value)
    ? ''
    : (['messages', 'input'].find((name) => Array.isArray(fieldOf(value, name))) ?? 'messages');
  if (messages.length === 0) return refuse(within(at, field), 'no messages', options);
  const builder = new RunBuilder(options);
  for (const [index, item] of messages.entries()) {
    const place = within(at, `${field}[${index}]`);
    const read = readMessages(item);
    if (read.length === 0) return refuse(place, 'no message: it has no role that is known', options);
    for (const told of read) builder.tell(told, { at: place });
  }
  const id = ['id', 'run_id', 'conversation_id', 'thread_id']
    .map((name) => textOf(value, name))
    .find(Boolean);
  return builder.finish({ runId: id ?? runName(at), source: sourceOf(at), tools: toolsIn(value) });
}

function chatIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return listOf(value, 'messages');
  const [first] = value;
  const nested = Array.isArray(first) ? first : listOf(first, 'messages');
  return nested.length > 0 ? nested : value;
}

/** `tools`, or `functions` in older files. */
export function toolsIn(value: unknown): readonly ToolSpec[] {
  const tools = [
    ...listOf(value, 'tools'),
    ...listOf(value, 'functions'),
    ...listOf(value, 'tool_definitions'),
  ];
  return tools.flatMap((tool) => {
    const body = fieldOf(tool, 'function') ?? tool;
    const name = textOf(body, 'name');
    const description = textOf(body, 'description');
    return name === undefined ? [] : [{ name, ...(description !== undefined && { description }) }];
  });
}
