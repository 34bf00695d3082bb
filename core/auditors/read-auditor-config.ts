import { readFile } from 'node:fs/promises';
import { messageOf } from '../diagnostics.js';
import { InputError } from '../errors.js';
import type { JsonValue } from '../json.js';
import { secretRedactor } from '../redact.js';
import { type AuditorConfig, auditorConfigSchema } from './auditor-config.js';

/** @throws InputError naming the file and the line or field; a key is never quoted */
export async function readAuditorConfig(file: string): Promise<AuditorConfig> {
  const value = parse(file, await readText(file));
  const secret = secretField(value, secretRedactor().redact(value));
  if (secret !== undefined) {
    throw new InputError(
      { file, field: fieldPath(secret) },
      'looks like a key, and a configuration must hold none',
      'Put it into an environment variable, give that one\'s name as "apiKeyEnv", and replace the key: it has been in a file',
    );
  }
  const parsed = auditorConfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  throw new InputError(
    { file, field: fieldPath([...(issue?.path ?? []), ...unknown.slice(0, 1)]) || undefined },
    unknown.length > 0 ? 'there is no such field' : (issue?.message ?? 'wrong shape'),
    'The fields are told in docs/auditors.md',
    { cause: parsed.error },
  );
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const what = isMissing ? 'does not exist' : `cannot be read: ${messageOf(cause)}`;
    throw new InputError(
      { file },
      what,
      'Give the file of an auditor\'s configuration, such as {"kind": "signals"}',
      {
        cause,
      },
    );
  }
}

function parse(file: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const line = /\(line (\d+) column/.exec(messageOf(cause))?.[1];
    // The parser's own message may quote the text, and with it a key.
    throw new InputError(
      { file, line: line === undefined ? undefined : Number(line) },
      'is no JSON',
      'Repair it',
      {
        cause,
      },
    );
  }
}

/** Path to the first field that a redactor would not let pass. */
function secretField(value: JsonValue, redacted: JsonValue | undefined): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return value === redacted ? undefined : [];
  if (typeof redacted !== 'object' || redacted === null) return [];
  for (const [key, item] of Object.entries(value)) {
    const below = secretField(item, (redacted as Record<string, JsonValue>)[key]);
    if (below) return [key, ...below];
  }
  return undefined;
}

/** `stages[1].model` */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, part) => {
    if (/^\d+$/.test(String(part))) return `${written}[${String(part)}]`;
    return written === '' ? String(part) : `${written}.${String(part)}`;
  }, '');
}
