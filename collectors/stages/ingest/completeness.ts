import type { InputError, JsonValue } from '../../../core/index.js';
import type { RecordedRun } from '../../recorded-run.js';

/** What was read, and what of it was whole. */
export interface Completeness {
  runs: number;
  turns: number;
  /** Runs that have become samples. */
  taken: number;
  /** Runs that have not, by rule. */
  dropped: Record<string, number>;
  /** What readers survived, by code. */
  quirks: Record<string, number>;
  /** Runs of which neither a label, nor feedback, nor the log says how they ended. */
  withoutOutcome: number;
  withoutReference: number;
  /** Runs from which secrets were taken. */
  redacted: number;
  /** Lines, rows and files that could not be read. */
  unreadable: number;
}

export interface FileCompleteness extends Completeness {
  readonly source: string;
  readonly format: string;
  /** The first faults. */
  readonly faults: string[];
}

export interface CompletenessReport {
  readonly total: Completeness;
  readonly formats: Readonly<Record<string, Completeness>>;
  readonly files: readonly FileCompleteness[];
}

const SHOWN_FAULTS = 20;

/** Counts while the files of a source are read, one after the other. */
export class CompletenessCount {
  readonly #files: FileCompleteness[] = [];

  begin(source: string, format: string): FileCount {
    const file = { source, format, ...nothing(), faults: [] };
    this.#files.push(file);
    return new FileCount(file);
  }

  report(): CompletenessReport {
    const formats: Record<string, Completeness> = {};
    const total = nothing();
    for (const file of this.#files) {
      formats[file.format] ??= nothing();
      add(formats[file.format] as Completeness, file);
      add(total, file);
    }
    return { total, formats, files: this.#files };
  }
}

export class FileCount {
  readonly #file: FileCompleteness;

  constructor(file: FileCompleteness) {
    this.#file = file;
  }

  read({ turns, quirks, label, life, reference }: RecordedRun, hasFeedback: boolean): void {
    this.#file.runs++;
    this.#file.turns += turns.length;
    for (const { code } of quirks) increment(this.#file.quirks, code);
    if (!label && !hasFeedback && !life?.outcome) this.#file.withoutOutcome++;
    if (reference === undefined) this.#file.withoutReference++;
  }

  taken(isRedacted: boolean): void {
    this.#file.taken++;
    if (isRedacted) this.#file.redacted++;
  }

  dropped(rule: string): void {
    increment(this.#file.dropped, rule);
  }

  /** Its message without the path, which differs from machine to machine. */
  unreadable({ message, location }: InputError): void {
    this.#file.unreadable++;
    if (this.#file.faults.length < SHOWN_FAULTS)
      this.#file.faults.push(message.replaceAll(location.file, this.#file.source));
  }
}

export function asJson(report: CompletenessReport | Completeness): JsonValue {
  return report as unknown as JsonValue;
}

function nothing(): Completeness {
  const counts = { runs: 0, turns: 0, taken: 0, dropped: {}, quirks: {} };
  return { ...counts, withoutOutcome: 0, withoutReference: 0, redacted: 0, unreadable: 0 };
}

function increment(counts: Record<string, number>, key: string, by = 1): void {
  counts[key] = (counts[key] ?? 0) + by;
}

function add(sum: Completeness, one: Completeness): void {
  for (const [rule, count] of Object.entries(one.dropped)) increment(sum.dropped, rule, count);
  for (const [code, count] of Object.entries(one.quirks)) increment(sum.quirks, code, count);
  for (const name of [
    'runs',
    'turns',
    'taken',
    'withoutOutcome',
    'withoutReference',
    'redacted',
    'unreadable',
  ] as const)
    sum[name] += one[name];
}
