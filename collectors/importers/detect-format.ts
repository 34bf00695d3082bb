import { auditRecordSchema, InputError, RECORD_VERSION } from '../../core/index.js';
import { readHead, readTextFile } from './input-file.js';
import { parseJson } from './parse-json.js';

export type RunFormat = 'run-log' | 'aftraj' | 'who-and-when';

/** Holds the first record of nearly every run log, which may run to gigabytes. */
const HEAD_BYTES = 64 * 1024;
const PARQUET_MAGIC = 'PAR1';
const SHOWN_FIELDS = 8;

const recordTypes = new Set<unknown>(auditRecordSchema.options.map(({ shape }) => shape.type.value));

/** The format by content, never by name. A run log is known by any whole line near its beginning: its reader judges the rest. */
export async function detectFormat(path: string): Promise<RunFormat> {
  const head = await readHead(path, HEAD_BYTES);
  if (head.subarray(0, PARQUET_MAGIC.length).toString('latin1') === PARQUET_MAGIC) return 'aftraj';
  // A crash may have torn the first line, or left anything in a later one; the reader can name its number.
  if (wholeLines(head).some(isRecordLine)) return 'run-log';
  return formatOf(path, firstObject(await readTextFile(path)) ?? (await parseWhole(path)));
}

function wholeLines(head: Buffer): string[] {
  return head.toString('utf8').split('\n').slice(0, -1);
}

function isRecordLine(line: string): boolean {
  const value = firstObject(line);
  return (
    value !== undefined &&
    'type' in value &&
    recordTypes.has(value.type) &&
    'v' in value &&
    value.v === RECORD_VERSION
  );
}

/** The object on the first line that is not blank, if that line is one whole object. */
function firstObject(text: string): object | undefined {
  const line = /\S.*/.exec(text)?.[0] ?? '';
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function parseWhole(path: string): Promise<unknown> {
  return parseJson(path, await readTextFile(path));
}

function formatOf(file: string, value: unknown): RunFormat {
  if (isObject(value) && 'type' in value && recordTypes.has(value.type)) {
    if ('v' in value && value.v === RECORD_VERSION) return 'run-log';
    const what = `a run log of version ${JSON.stringify('v' in value ? value.v : undefined)}; this program reads ${RECORD_VERSION}`;
    throw new InputError({ file, line: 1, field: 'v' }, what, 'Read it with the program that wrote it');
  }
  if (isObject(value) && 'history' in value) return 'who-and-when';
  const what = isObject(value)
    ? `an object with neither a run log's type nor a Who&When history (fields: ${Object.keys(value).slice(0, SHOWN_FIELDS).join(', ') || 'none'})`
    : 'JSON, but no object';
  throw new InputError(
    { file },
    what,
    'Give a run log, an AFTraj Parquet file or a Who&When file, or pass over it with --keep-going',
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
