import { InputError, RECORD_VERSION } from '../../core/index.js';
import { importers } from './formats.js';
import type { Importer } from './importer.js';
import { readHead, readTextFile } from './input-file.js';
import { fieldOf, isObject } from './json-object.js';
import { parseJson } from './parse-json.js';
import { isRecord } from './run-log.js';

/** Holds the first line of nearly every file of lines, which may run to gigabytes. */
const HEAD_BYTES = 64 * 1024;
const PARQUET_MAGIC = 'PAR1';
const SHOWN_FIELDS = 8;

/** The format by content, never by name. @throws InputError for what no importer knows */
export async function detectFormat(path: string): Promise<string> {
  return (await importerOf(path)).format;
}

/** Who reads this file. @throws InputError for what no importer knows */
export async function importerOf(path: string): Promise<Importer> {
  const head = await readHead(path, HEAD_BYTES);
  const isParquet = head.subarray(0, PARQUET_MAGIC.length).toString('latin1') === PARQUET_MAGIC;
  const first = isParquet ? head : (firstOfHead(head) ?? (await firstOfWhole(path)));
  requireVersion(path, first);
  const importer = importers.find(({ recognises }) => recognises(first));
  if (importer) return importer;
  const known = importers.map(({ title }) => title).join(', ');
  throw new InputError(
    { file: path },
    `${described(first)}; known are ${known}`,
    'Give a file of one of these formats, or pass over it with --keep-going',
  );
}

/**
 * The first value of a file of lines, as far as its beginning tells. Of a run log any record will do: a crash may have
 * torn the first line, or left anything in a later one, and its reader can name that line's number.
 */
function firstOfHead(head: Buffer): unknown {
  const lines = head.toString('utf8').split('\n').slice(0, -1);
  const record = lines.map(objectOn).find(isRecord);
  return record ?? objectOn(lines.find((line) => line.trim() !== '') ?? '');
}

async function firstOfWhole(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  return objectOn(/\S.*/.exec(text)?.[0] ?? '') ?? parseJson(path, text);
}

/** The object that a line is, if it is one whole object or list. */
function objectOn(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function requireVersion(file: string, first: unknown): void {
  if (!isRecord(first) || fieldOf(first, 'v') === RECORD_VERSION) return;
  const what = `a run log of version ${JSON.stringify(fieldOf(first, 'v'))}; this program reads ${RECORD_VERSION}`;
  throw new InputError({ file, line: 1, field: 'v' }, what, 'Read it with the program that wrote it');
}

function described(value: unknown): string {
  if (isObject(value)) return `an object of no known format (fields: ${namesIn(value)})`;
  const [first] = Array.isArray(value) ? value : [];
  if (isObject(first)) return `a list of objects of no known format (fields: ${namesIn(first)})`;
  return 'JSON, but no object, nor a list of objects';
}

function namesIn(value: object): string {
  return Object.keys(value).slice(0, SHOWN_FIELDS).join(', ') || 'none';
}
