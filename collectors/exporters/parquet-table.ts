import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';

/** A row by its columns' names; `int64` columns hold bigints. */
export type ParquetRow = Readonly<Record<string, unknown>>;

/** A row group ends at so many rows, or characters of text, whichever comes first: it is in memory until then. */
const GROUP_ROWS = 1_000;
const GROUP_CHARACTERS = 2 ** 25;

/** A Parquet file, written row by row. The same rows make the same bytes. */
export class ParquetTable {
  readonly #writer: ParquetWriter;
  readonly #columns: readonly string[];
  #rows: ParquetRow[] = [];
  #characters = 0;

  constructor(path: string, columns: readonly Column[], metadata: Readonly<Record<string, string>> = {}) {
    this.#columns = columns.map(([root]) => root?.name as string);
    const root: SchemaElement = { repetition_type: 'REQUIRED', name: 'schema', num_children: columns.length };
    this.#writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: [root, ...columns.flat()],
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'agentforesight',
    });
  }

  async add(row: ParquetRow): Promise<void> {
    this.#rows.push(row);
    this.#characters += charactersOf(row);
    if (this.#rows.length >= GROUP_ROWS || this.#characters >= GROUP_CHARACTERS) await this.#writeGroup();
  }

  /** Nothing can be read from the file before. */
  async finish(): Promise<void> {
    await this.#writeGroup();
    await this.#writer.finish();
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#characters = 0;
    const columnData = this.#columns.map((name) => ({ name, data: rows.map((row) => row[name]) }));
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
  }
}

/** The elements of one column's schema, depth first. All may be null, as columns of pandas and Arrow may. */
export type Column = readonly SchemaElement[];

export function text(name: string): Column {
  const type = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
  return [{ ...type, repetition_type: 'OPTIONAL', name }];
}

export function int64(name: string): Column {
  return [{ type: 'INT64', repetition_type: 'OPTIONAL', name }];
}

export function struct(name: string, ...fields: readonly Column[]): Column {
  return [{ repetition_type: 'OPTIONAL', name, num_children: fields.length }, ...fields.flat()];
}

export function list(name: string, element: (name: string) => Column): Column {
  const type = { converted_type: 'LIST', logical_type: { type: 'LIST' } } as const;
  return [
    { ...type, repetition_type: 'OPTIONAL', name, num_children: 1 },
    { repetition_type: 'REPEATED', name: 'list', num_children: 1 },
    ...element('element'),
  ];
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  for (const inner of Object.values(value)) characters += charactersOf(inner);
  return characters;
}
