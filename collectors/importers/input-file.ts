import { constants } from 'node:buffer';
import { open, readFile, stat } from 'node:fs/promises';
import { InputError } from '../../core/index.js';

/** Size in bytes of a file that is there, is a regular file, and holds something. */
export async function requireFile(path: string): Promise<number> {
  const found = await stat(path).catch((cause: unknown) => unreadable(path, cause));
  if (found.isDirectory()) {
    throw new InputError({ file: path }, 'is a folder', 'Name one of the files in it');
  }
  if (!found.isFile()) {
    throw new InputError({ file: path }, 'is no regular file', 'Copy its content into a file first');
  }
  if (found.size === 0) {
    throw new InputError(
      { file: path },
      'is empty: no run was recorded here, or the file was not fetched',
      'Record a run first, or fetch it again',
    );
  }
  return found.size;
}

/** The whole file as text, without its byte order mark. */
export async function readTextFile(path: string): Promise<string> {
  const size = await requireFile(path);
  if (size > constants.MAX_STRING_LENGTH) {
    const what = `has ${size} bytes, more than the ${constants.MAX_STRING_LENGTH} that can be read as one text`;
    throw new InputError({ file: path }, what, 'Split it into smaller files');
  }
  return decodeUtf8(path, await readFile(path).catch((cause: unknown) => unreadable(path, cause)));
}

/** At most `length` bytes from the start of the file. */
export async function readHead(path: string, length: number): Promise<Buffer> {
  await requireFile(path);
  const handle = await open(path).catch((cause: unknown) => unreadable(path, cause));
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Text of bytes that must be UTF-8 without NUL. UTF-16 is refused at its byte order mark. */
export function decodeUtf8(file: string, bytes: Buffer): string {
  const nul = bytes.indexOf(0);
  const text = bytes.toString('utf8');
  const invalid = firstInvalidByte(bytes, text);
  const fault = nul >= 0 && (invalid === undefined || nul < invalid) ? nul : invalid;
  if (fault !== undefined) {
    const what = `is binary: ${fault === nul ? 'a NUL' : 'no valid UTF-8'} at byte ${fault}`;
    throw new InputError({ file }, what, 'Give a Parquet file, or text saved as UTF-8');
  }
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

const REPLACEMENT = '\uFFFD';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** Decoding puts U+FFFD in place of a bad byte; one that the text itself holds is told apart by its three bytes. */
function firstInvalidByte(bytes: Buffer, text: string): number | undefined {
  let offset = 0;
  let start = 0;
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, start)) {
    offset += Buffer.byteLength(text.slice(start, at));
    if (!bytes.subarray(offset, offset + REPLACEMENT_BYTES.length).equals(REPLACEMENT_BYTES)) return offset;
    offset += REPLACEMENT_BYTES.length;
    start = at + 1;
  }
  return undefined;
}

function unreadable(path: string, cause: unknown): never {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    throw new InputError({ file: path }, 'does not exist', 'Check the path', { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new InputError({ file: path }, `cannot be read: ${reason}`, 'Check its permissions', { cause });
}
