import { hash } from 'node:crypto';
import type { JsonValue } from '../../core/index.js';

/** SHA-256, in hexadecimal, of a value whatever the order of its fields. */
export function digestOf(value: JsonValue): string {
  return hash('sha256', JSON.stringify(value, sorted));
}

function sorted(_key: string, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
