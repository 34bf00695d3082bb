import { InputError } from '../../core/index.js';
import { locateJsonFault } from './json-fault.js';

/** The value of a file's whole text, or where it stops being JSON: line in the location, column in the message. */
export function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const offset = locateJsonFault(text) ?? text.length;
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    const what =
      offset === text.length ? 'the JSON ends too early' : `no JSON from here on: ${found(text, offset)}`;
    const remedy =
      offset === text.length ? 'Fetch the file again' : 'Repair that line, or export the run again';
    throw new InputError({ file, line }, `${what} (column ${column})`, remedy, { cause });
  }
}

const SHOWN_CHARACTERS = 20;

function found(text: string, offset: number): string {
  return JSON.stringify(text.slice(offset, offset + SHOWN_CHARACTERS));
}
