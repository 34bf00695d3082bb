/**
 * Writes small Parquet files for tests: flat required columns, plain encoding, no compression. A column of strings or
 * bytes is UTF8; any other is of Parquet's JSON type, which a reader gives back parsed, so that nested rows need no
 * repetition levels.
 */
export function toParquet(
  rowGroups: readonly (readonly Readonly<Record<string, unknown>>[])[],
  declaredRows = rowGroups.flat().length,
): Buffer {
  const names = Object.keys(rowGroups[0]?.[0] ?? {});
  const columns = names.map((name) => {
    const cells = rowGroups.flat().map((row) => row[name]);
    const isText = cells.every((cell) => typeof cell === 'string' || cell instanceof Uint8Array);
    return { name, convertedType: isText ? UTF8 : JSON_TYPE };
  });
  const parts: Buffer[] = [Buffer.from('PAR1')];
  let offset = 4;
  const groups = rowGroups.map((rows) => {
    const chunks = columns.map(({ name, convertedType }) => {
      const values = Buffer.concat(rows.map((row) => plain(toBytes(row[name], convertedType))));
      const page = Buffer.concat([pageHeader(values.length, rows.length), values]);
      const chunk = columnChunk(name, rows.length, offset, page.length);
      parts.push(page);
      offset += page.length;
      return chunk;
    });
    return struct([1, list(STRUCT, chunks)], [2, i64(0)], [3, i64(rows.length)]);
  });
  const schema = [
    struct([4, binary('schema')], [5, i32(columns.length)]),
    ...columns.map(({ name, convertedType }) =>
      struct([1, i32(BYTE_ARRAY)], [3, i32(REQUIRED)], [4, binary(name)], [6, i32(convertedType)]),
    ),
  ];
  const footer = struct(
    [1, i32(1)],
    [2, list(STRUCT, schema)],
    [3, i64(declaredRows)],
    [4, list(STRUCT, groups)],
  ).bytes;
  return Buffer.concat([...parts, footer, uint32(footer.length), Buffer.from('PAR1')]);
}

const BYTE_ARRAY = 6;
const REQUIRED = 0;
const UTF8 = 0;
const JSON_TYPE = 19;

function toBytes(cell: unknown, convertedType: number): Uint8Array {
  if (cell instanceof Uint8Array) return cell;
  return Buffer.from(convertedType === UTF8 ? String(cell) : JSON.stringify(cell ?? null));
}

function plain(bytes: Uint8Array): Buffer {
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function pageHeader(size: number, rows: number): Buffer {
  const dataPage = struct([1, i32(rows)], [2, i32(0)], [3, i32(3)], [4, i32(3)]);
  return struct([1, i32(0)], [2, i32(size)], [3, i32(size)], [5, dataPage]).bytes;
}

function columnChunk(name: string, rows: number, offset: number, size: number): Thrift {
  const metadata = struct(
    [1, i32(BYTE_ARRAY)],
    [2, list(I32, [i32(0)])],
    [3, list(BINARY, [binary(name)])],
    [4, i32(0)],
    [5, i64(rows)],
    [6, i64(size)],
    [7, i64(size)],
    [9, i64(offset)],
  );
  return struct([2, i64(offset)], [3, metadata]);
}

/** A value of Thrift's compact protocol, and its type's number there. */
interface Thrift {
  readonly type: number;
  readonly bytes: Buffer;
}

const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

function i32(value: number): Thrift {
  return { type: I32, bytes: varint(value * 2) };
}

function i64(value: number): Thrift {
  return { type: I64, bytes: varint(value * 2) };
}

function binary(text: string): Thrift {
  const bytes = Buffer.from(text);
  return { type: BINARY, bytes: Buffer.concat([varint(bytes.length), bytes]) };
}

function list(elementType: number, elements: readonly Thrift[]): Thrift {
  const header = Buffer.concat([Buffer.from([0xf0 | elementType]), varint(elements.length)]);
  return { type: LIST, bytes: Buffer.concat([header, ...elements.map(({ bytes }) => bytes)]) };
}

function struct(...fields: readonly (readonly [id: number, value: Thrift])[]): Thrift {
  const written = fields.map(([id, { type, bytes }], index) => {
    const previous = fields[index - 1]?.[0] ?? 0;
    return Buffer.concat([Buffer.from([((id - previous) << 4) | type]), bytes]);
  });
  return { type: STRUCT, bytes: Buffer.concat([...written, Buffer.from([0])]) };
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
