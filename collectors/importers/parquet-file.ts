import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { InputError } from '../../core/index.js';
import { requireFile } from './input-file.js';

export interface ParquetRow {
  /** 0-based, in the whole file. */
  readonly index: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A Parquet file's rows in order. One row group is in memory at a time. */
export class ParquetFile {
  readonly #path: string;
  readonly #file: AsyncBuffer;
  readonly #metadata: FileMetaData;
  /** Top-level columns. */
  readonly columns: readonly string[];

  private constructor(path: string, file: AsyncBuffer, metadata: FileMetaData) {
    this.#path = path;
    this.#file = file;
    this.#metadata = metadata;
    this.columns = parquetSchema(metadata).children.map(({ element }) => element.name);
  }

  static async open(path: string): Promise<ParquetFile> {
    await requireFile(path);
    try {
      const file = await asyncBufferFromFile(path);
      return new ParquetFile(path, file, await parquetMetadataAsync(file));
    } catch (cause) {
      throw damaged(path, cause);
    }
  }

  async *rows(columns: readonly string[]): AsyncGenerator<ParquetRow> {
    let rowStart = 0;
    for (const { num_rows } of this.#metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const group = await this.#readRows(columns, rowStart, rowEnd);
      if (group.length !== rowEnd - rowStart) {
        throw damaged(this.#path, `${group.length} rows of ${num_rows}`, `the row group at row ${rowStart}`);
      }
      for (const [offset, values] of group.entries()) yield { index: rowStart + offset, values };
      rowStart = rowEnd;
    }
    const declared = Number(this.#metadata.num_rows);
    if (rowStart !== declared) throw damaged(this.#path, `${rowStart} rows of ${declared}`);
  }

  async #readRows(columns: readonly string[], rowStart: number, rowEnd: number) {
    const range = { rowStart, rowEnd, columns: [...columns] };
    const source = { file: this.#file, metadata: this.#metadata, parsers: { stringFromBytes } };
    return parquetReadObjects({ ...source, ...range }).catch((cause: unknown) => {
      throw damaged(this.#path, cause, `rows ${rowStart} to ${rowEnd - 1}`);
    });
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The reader's own default puts U+FFFD in place of bad bytes without a word. */
function stringFromBytes(bytes: Uint8Array | undefined): string | undefined {
  return bytes && strictUtf8.decode(bytes);
}

function damaged(path: string, cause: unknown, part = 'the file'): InputError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const what = `${part} cannot be read as Parquet, it may have been cut short: ${reason}`;
  return new InputError({ file: path }, what, 'Fetch the file again', { cause });
}
