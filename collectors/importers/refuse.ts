import { InputError, type InputLocation, type ReadOptions } from '../../core/index.js';

/** Bad input, one line: thrown, or told and passed over where the reader is to go on. */
export function refuse(at: InputLocation, what: string, options: ReadOptions = {}): undefined {
  const error = new InputError(at, what, 'Repair it, or leave it out');
  if (!options.onBadLine) throw error;
  options.onBadLine(error);
  return undefined;
}

/** The location of a field within a value. */
export function within(at: InputLocation, field: string): InputLocation {
  const dot = at.field && !field.startsWith('[') ? '.' : '';
  return { ...at, field: `${at.field ?? ''}${dot}${field}` };
}
