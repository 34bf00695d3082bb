import fs from 'node:fs';
import { InputError } from '../errors.js';
import { type AuditRecord, auditRecordSchema, RECORD_VERSION } from '../record.js';
import { oversizedField } from './oversized-field.js';

export interface ReadOptions {
  /** Longest text of one turn, in UTF-8 bytes. Default 32 MiB. */
  readonly maxTurnBytes?: number | undefined;
  /** Told of what was skipped without harm: a line torn by a crash. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Told of a bad line, which is then skipped. Without it the first bad line is thrown. */
  readonly onBadLine?: ((error: InputError) => void) | undefined;
}

export interface NumberedRecord {
  /** 1-based. */
  readonly line: number;
  readonly record: AuditRecord;
}

interface RawLine {
  readonly number: number;
  readonly bytes: Buffer;
  /** False for a last line without its line end. */
  readonly ended: boolean;
}

export const DEFAULT_MAX_TURN_BYTES = 32 * 2 ** 20;

/** JSON may spend six bytes on one (`\u0001`), and a turn has more than one text. */
const LINE_BYTES_PER_TURN_BYTE = 8;

/**
 * Reads a run log line by line, in constant memory.
 *
 * A line torn by a crash was never acknowledged: it is the last one without a line end, or it stands before a
 * `recovery` record; it is skipped with a warning. Any other bad line is an error.
 * @throws InputError naming file, line and field
 */
export async function* readRecords(file: string, options: ReadOptions = {}): AsyncGenerator<NumberedRecord> {
  const maxTurnBytes = options.maxTurnBytes ?? DEFAULT_MAX_TURN_BYTES;
  const reject = (error: InputError) => {
    if (!options.onBadLine) throw error;
    options.onBadLine(error);
  };
  let doubtful: { line: RawLine; error: InputError } | undefined;
  let records = 0;
  for await (const line of readLines(file, maxTurnBytes * LINE_BYTES_PER_TURN_BYTE + 65_536)) {
    if (line.bytes.length === 0) continue;
    const parsed = parseLine(file, line, maxTurnBytes);
    if (doubtful) {
      if (!(parsed instanceof InputError) && parsed.type === 'recovery') warnTorn(doubtful.line);
      else reject(doubtful.error);
      doubtful = undefined;
    }
    if (parsed instanceof InputError) {
      doubtful = { line, error: parsed };
    } else {
      records++;
      if (parsed.type !== 'recovery') yield { line: line.number, record: parsed };
    }
  }
  if (doubtful && !doubtful.line.ended && records > 0) warnTorn(doubtful.line);
  else if (doubtful) reject(doubtful.error);
  else if (records === 0)
    throw new InputError({ file }, 'the file is empty', 'Pass a run log that holds at least one run');

  function warnTorn(line: RawLine): void {
    options.onWarning?.(
      `${file}:${line.number}: a line torn by a crash was skipped; it was never acknowledged`,
    );
  }
}

function parseLine(
  file: string,
  { number: line, bytes }: RawLine,
  maxTurnBytes: number,
): AuditRecord | InputError {
  const binary = bytes.indexOf(0);
  if (binary !== -1) {
    return new InputError(
      { file, line },
      `binary data at byte ${binary} of the line`,
      'Pass a run log: JSON, one record per line',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const what = cause instanceof SyntaxError ? `not JSON (${cause.message})` : 'not UTF-8 text';
    return new InputError(
      { file, line },
      what,
      'Repair or remove the line, or read the rest with --keep-going',
      { cause },
    );
  }
  const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
  if (typeof version === 'number' && version > RECORD_VERSION) {
    return new InputError(
      { file, line, field: 'v' },
      `written by a newer agentforesight (format ${version})`,
      'Update agentforesight',
    );
  }
  const result = auditRecordSchema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const field = issue?.path.join('.') || 'record';
    return new InputError(
      { file, line, field },
      issue?.message ?? 'wrong schema',
      'Repair or remove the line, or read the rest with --keep-going',
    );
  }
  return (
    (result.data.type === 'turn' && oversizedField({ file, line }, 'turn', result.data.turn, maxTurnBytes)) ||
    result.data
  );
}

async function* readLines(file: string, maxBytes: number): AsyncGenerator<RawLine> {
  let number = 1;
  let parts: Buffer[] = [];
  let pending = 0;
  for await (const chunk of fs.createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield { number: number++, bytes: Buffer.concat(parts), ended: true };
      parts = [];
      pending = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    pending += chunk.length - start;
    if (pending > maxBytes) {
      throw new InputError(
        { file, line: number },
        `a line of more than ${maxBytes} bytes`,
        'Raise the limit with --max-turn-mb, or check that this is a run log',
      );
    }
  }
  if (pending > 0) yield { number, bytes: Buffer.concat(parts), ended: false };
}
