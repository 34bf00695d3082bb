import { InputError, type InputLocation, type ReadOptions } from '../../core/index.js';
import { readTextFile } from './input-file.js';
import { parseJson } from './parse-json.js';

/** A JSON value of a file, and where it stands: with a line where the file is one of lines. */
export interface FoundValue {
  readonly value: unknown;
  readonly at: InputLocation;
}

/** A file's one JSON value or, where it has a value on each line, all of them. @throws InputError for a line that is no JSON */
export async function jsonValues(file: string, { onBadLine }: ReadOptions = {}): Promise<FoundValue[]> {
  const text = await readTextFile(file);
  const lines = text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '');
  if (lines.length < 2 || !isValue(lines[0]?.line ?? ''))
    return [{ value: parseJson(file, text), at: { file } }];
  return lines.flatMap(({ line, number }) => {
    const at = { file, line: number };
    try {
      return [{ value: JSON.parse(line), at }];
    } catch (cause) {
      const error = new InputError(at, 'this line is no JSON', 'Repair or remove it', { cause });
      if (!onBadLine) throw error;
      onBadLine(error);
      return [];
    }
  });
}

/** Items of lists, and values that stand alone; each with its place. */
export function spreadLists(found: readonly FoundValue[], field = ''): FoundValue[] {
  return found.flatMap(({ value, at }) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => ({ value: item, at: { ...at, field: `${field}[${index}]` } }))
      : [{ value, at }],
  );
}

function isValue(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
