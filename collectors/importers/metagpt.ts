import type { ReadOptions } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { message } from './conversation/message.js';
import { readParts } from './conversation/read-parts.js';
import { RunBuilder } from './conversation/run-builder.js';
import type { Importer } from './importer.js';
import { fieldOf, isObject, listOf, textOf } from './json-object.js';
import { type FoundValue, jsonValues } from './json-values.js';
import { refuse, within } from './refuse.js';
import { runName, sourceOf } from './run-name.js';

/** MetaGPT: a saved team or environment, a role's memory, or a list of its messages. */
export const metaGptImporter: Importer = {
  format: 'metagpt',
  title: 'MetaGPT',
  recognises: (first) => messagesIn({ value: first, at: { file: '' } }).some(({ value }) => isSpoken(value)),
  read: readMetaGpt,
};

/** Where a team, an environment, a memory keep their messages. */
const PLACES = [
  ['env', 'history'],
  ['history'],
  ['environment', 'history'],
  ['memory'],
  ['rc', 'memory'],
  [],
] as const;

export async function* readMetaGpt(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  const found = await jsonValues(path, options);
  const lines = found.length > 1 && found.every(({ value }) => isSpoken(value));
  for (const messages of lines ? [found] : found.map(messagesIn)) {
    const at = messages[0]?.at ?? { file: path };
    const bad = messages.find(({ value }) => !isSpoken(value));
    if (bad || messages.length === 0) {
      refuse(bad?.at ?? { ...at, field: 'history' }, 'no message of MetaGPT', options);
      continue;
    }
    const place = { file: path, ...(at.line !== undefined && !lines && { line: at.line }) };
    const builder = new RunBuilder(options);
    for (const { value, at: where } of messages) tell(builder, value, where);
    yield builder.finish({ runId: runName(place), source: sourceOf(place) });
  }
}

function messagesIn({ value, at }: FoundValue): FoundValue[] {
  if (isSpoken(value)) return [{ value, at }];
  for (const path of PLACES) {
    const kept = path.length === 0 ? value : fieldOf(value, ...path);
    const stored = Array.isArray(kept) ? kept : listOf(kept, 'storage');
    const field = [...path, ...(Array.isArray(kept) ? [] : ['storage'])].join('.');
    if (isSpoken(stored[0]))
      return stored.map((item: unknown, index) => ({ value: item, at: within(at, `${field}[${index}]`) }));
  }
  return [];
}

/** Every message says what it was caused by: no other format does. */
function isSpoken(value: unknown): boolean {
  return isObject(value) && 'content' in value && typeof fieldOf(value, 'cause_by') === 'string';
}

function tell(builder: RunBuilder, given: unknown, at: FoundValue['at']): void {
  const { content, unknownParts } = readParts(fieldOf(given, 'content'));
  const cause = textOf(given, 'cause_by') ?? '';
  const isHuman =
    /\.?UserRequirement$/.test(cause) || /^(user|human)$/i.test(textOf(given, 'sent_from') ?? '');
  const role = textOf(given, 'role');
  // `role` is the profile ("Product Manager"), or the chat's "user" and "assistant".
  const profile = /^(user|assistant|system)$/i.test(role ?? '') ? undefined : role;
  const name = profile ?? lastName(textOf(given, 'sent_from'));
  const told = isHuman
    ? message('user', content, { unknownParts })
    : message('agent', content, { name, unknownParts });
  builder.tell(told, { at });
}

/** `ProductManager` of `metagpt.roles.product_manager.ProductManager`. */
function lastName(path: string | undefined): string | undefined {
  return path?.split('.').at(-1) || undefined;
}
