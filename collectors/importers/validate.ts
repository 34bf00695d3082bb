import type { z } from 'zod';
import { InputError, type InputLocation } from '../../core/index.js';

/** `value` as the schema gives it back. The first fault is thrown, by its path within `at.field`, with the number of further ones. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at: InputLocation,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [first, ...others] = result.error.issues;
  const path = fieldPath(first?.path ?? []);
  const field = [at.field, path].filter(Boolean).join('.');
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new InputError(
    { ...at, field: field || undefined },
    `${first?.message ?? 'wrong shape'}${more}`,
    'Repair this field, or leave the run out',
    { cause: result.error },
  );
}

/** `['history', 3, 'content']` as `history[3].content`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, part) => {
    if (typeof part === 'number') return `${written}[${part}]`;
    return written === '' ? String(part) : `${written}.${String(part)}`;
  }, '');
}
