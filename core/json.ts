import { messageOf } from './diagnostics.js';

/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Deeper nesting than this is cut: a host object graph (a client, a socket) must not be dragged into the log. */
const MAX_DEPTH = 32;

/** Objects that share their parts can unfold into exponentially many copies; no honest argument holds this many. */
const MAX_CONTAINERS = 1_000_000;

/** What one copy must keep in mind on its way down. */
interface Progress {
  readonly ancestors: Set<object>;
  containers: number;
}

/**
 * A detached JSON copy of whatever a host hands over. It never throws: what JSON has no word for becomes a string
 * that says so (`"[circular]"`, `"[function]"`, `"12n"`), so that one odd tool argument costs one field, not the turn.
 */
export function toJsonValue(value: unknown): JsonValue {
  if (typeof value === 'string') return value; // what most fields are
  return copy(value, { ancestors: new Set(), containers: 0 }, 0);
}

function copy(value: unknown, progress: Progress, depth: number): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return `${value}n`;
    case 'undefined':
      return null;
    case 'function':
    case 'symbol':
      return `[${typeof value}]`;
    default:
      return value === null ? null : copyObject(value as object, progress, depth);
  }
}

function copyObject(value: object, progress: Progress, depth: number): JsonValue {
  if (progress.ancestors.has(value)) return '[circular]';
  if (depth >= MAX_DEPTH) return '[nested too deep]';
  if (++progress.containers > MAX_CONTAINERS) return '[too many objects]';
  progress.ancestors.add(value);
  try {
    // Before toJSON, which would write a Buffer out as one number per byte.
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    const plain = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
    if (typeof plain !== 'object' || plain === null) return copy(plain, progress, depth + 1);
    if (plain instanceof Error) return { name: plain.name, message: plain.message };
    if (Array.isArray(plain)) return plain.map((item) => copy(item, progress, depth + 1));
    const fields = plain instanceof Map || plain instanceof Set ? fieldsOf(plain.entries()) : plain;
    return copyFields(fields as Readonly<Record<string, unknown>>, progress, depth);
  } catch (cause) {
    return `[unreadable: ${messageOf(cause)}]`;
  } finally {
    progress.ancestors.delete(value);
  }
}

function fieldsOf(entries: Iterable<[unknown, unknown]>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Array.from(entries, ([key, item]) => [String(key), item]));
}

function copyFields(fields: Readonly<Record<string, unknown>>, progress: Progress, depth: number): JsonValue {
  const copied: Record<string, JsonValue> = {};
  for (const key of Object.keys(fields)) {
    const item = fields[key];
    if (item === undefined) continue;
    const value = copy(item, progress, depth + 1);
    if (key !== '__proto__') copied[key] = value;
    // A hostile key stays data.
    else Object.defineProperty(copied, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return copied;
}
