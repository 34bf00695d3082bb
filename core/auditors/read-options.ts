import { z } from 'zod';
import type { Auditor } from '../auditor.js';
import { SetupError } from '../errors.js';

/** Milliseconds, as long as a timer can take. */
export const deadlineSchema = z
  .number()
  .positive()
  .max(2 ** 31 - 1);

/** @throws SetupError naming the option that is at fault, and those that there are */
export function readOptions<Shape extends z.ZodRawShape>(
  where: string,
  schema: z.ZodObject<Shape>,
  options: unknown,
): z.output<z.ZodObject<Shape>> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the options';
  const remedy = `Options are ${Object.keys(schema.shape).join(', ')}`;
  throw new SetupError(where, `${place}: ${issue?.message}`, remedy, { cause: parsed.error });
}

/** @throws SetupError for what has no `audit`, or a name that the log could not be read with */
export function requireAuditor(where: string, role: string, auditor: unknown): asserts auditor is Auditor {
  const { audit, name = '' } = (auditor ?? {}) as { audit?: unknown; name?: unknown };
  if (typeof audit !== 'function')
    throw new SetupError(where, `${role} is no auditor`, 'Pass an object with a method audit()');
  if (typeof name !== 'string') throw new SetupError(where, `${role} has a name that is no text`, 'Name it');
}

/** @throws SetupError for fewer than two, and for what is no auditor */
export function requireAuditors(where: string, auditors: readonly Auditor[]): void {
  if (!Array.isArray(auditors) || auditors.length < 2)
    throw new SetupError(where, 'there are fewer than two auditors', 'Pass a list of two or more');
  for (const [i, auditor] of auditors.entries()) requireAuditor(where, `auditor ${i}`, auditor);
}
