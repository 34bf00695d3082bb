import { InputError } from '../errors.js';
import { type AuditRecord, auditRecordSchema, RECORD_VERSION } from '../record.js';
import { DEFAULT_MAX_TURN_BYTES } from '../turn.js';
import { oversizedField } from './oversized-field.js';
import { nameOf, type RawLine, type RunLog, readLines } from './read-lines.js';

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

/** A line that is bad unless a `recovery` record follows it. */
interface DoubtfulLine {
  readonly line: RawLine;
  readonly error: InputError;
}

/** JSON may spend six bytes on one (`\u0001`), and a turn has more than one text. */
const LINE_BYTES_PER_TURN_BYTE = 8;

/** Bytes of the longest line that is read. */
export function longestLine({ maxTurnBytes = DEFAULT_MAX_TURN_BYTES }: ReadOptions): number {
  return maxTurnBytes * LINE_BYTES_PER_TURN_BYTE + 65_536;
}

/**
 * Reads a run log line by line, in constant memory.
 *
 * A line torn by a crash was never acknowledged: it is the last one without a line end, or it stands before a
 * `recovery` record, which may itself be torn by a second crash; it is skipped with a warning. Any other bad line is
 * an error.
 * @throws InputError naming file, line and field
 */
export async function* readRecords(log: RunLog, options: ReadOptions = {}): AsyncGenerator<NumberedRecord> {
  const file = nameOf(log);
  const maxTurnBytes = options.maxTurnBytes ?? DEFAULT_MAX_TURN_BYTES;
  const reject = (error: InputError) => {
    if (!options.onBadLine) throw error;
    options.onBadLine(error);
  };
  let doubtful: DoubtfulLine[] = [];
  let records = 0;
  let lines = 0;
  for await (const line of readLines(log, longestLine(options))) {
    if (line.bytes.length === 0 && !line.tooLong) continue;
    lines++;
    const parsed = parseLine(file, line, maxTurnBytes);
    if (parsed instanceof InputError) {
      if (!isTornRecovery(line)) rejectDoubtful();
      doubtful.push({ line, error: parsed });
      continue;
    }
    records++;
    if (parsed.type === 'recovery') skipDoubtful();
    else {
      rejectDoubtful();
      yield { line: line.number, record: parsed };
    }
  }
  if (records > 0 && doubtful.at(-1)?.line.ended === false) skipDoubtful();
  else rejectDoubtful();
  if (lines === 0)
    throw new InputError({ file }, 'the file is empty', 'Pass a run log that holds at least one run');

  function rejectDoubtful(): void {
    for (const { error } of doubtful) reject(error);
    doubtful = [];
  }

  function skipDoubtful(): void {
    for (const { line } of doubtful) {
      options.onWarning?.(
        `${file}:${line.number}: a line torn by a crash was skipped; it was never acknowledged`,
      );
    }
    doubtful = [];
  }
}

const RECOVERY_START = Buffer.from('{"type":"recovery",');

/** Whether a line may be the beginning of a recovery mark that a second crash cut short. */
function isTornRecovery({ bytes }: RawLine): boolean {
  const length = Math.min(bytes.length, RECOVERY_START.length);
  return bytes.subarray(0, length).equals(RECOVERY_START.subarray(0, length));
}

function parseLine(
  file: string,
  { number: line, bytes, tooLong }: RawLine,
  maxTurnBytes: number,
): AuditRecord | InputError {
  if (tooLong) {
    return new InputError(
      { file, line },
      'far longer than the longest turn that is allowed',
      'Raise the limit with --max-turn-mb, or check that this is a run log',
    );
  }
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
