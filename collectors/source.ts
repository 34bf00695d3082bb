import type { JsonValue } from '../core/index.js';
import type { StageResult } from './stage.js';

/** Where a pipeline's samples come from: its first step. */
export interface Source {
  /** Names its files. Kebab-case. */
  readonly name: string;
  /** Everything that its results depend on besides what it reads. */
  readonly options: JsonValue;
  /** What it reads, by content: another fingerprint makes the pipeline begin anew. */
  fingerprint(signal: AbortSignal): Promise<JsonValue>;
  /** A result for everything that was read, also for what is not taken. The same ones in the same order, every time. */
  read(signal: AbortSignal): AsyncIterable<StageResult>;
  /** Asked for once everything has been read. */
  report?(): SourceReport;
}

export interface SourceReport {
  /** In short, for the manifest. */
  readonly found: JsonValue;
  /** At length, for a file of its own: `ingest.report.json`. */
  readonly whole: JsonValue;
}
