import { DEFAULT_MAX_TURN_BYTES, InputError } from '../../core/index.js';

export interface ImportOptions {
  /** UTF-8 bytes that one turn's texts may have together. Default: {@link DEFAULT_MAX_TURN_BYTES}. */
  readonly maxTurnBytes?: number | undefined;
}

/** @param texts the turn's texts by field name @param turnField the turn's own place, such as `history[3]` */
export function requireTurnSize(
  file: string,
  turnField: string,
  texts: Readonly<Record<string, string>>,
  { maxTurnBytes = DEFAULT_MAX_TURN_BYTES }: ImportOptions,
): void {
  const sizes = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxTurnBytes) return;
  const largest = sizes.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  throw new InputError(
    { file, field: `${turnField}.${largest.name}` },
    `the turn has ${total} bytes, more than the ${maxTurnBytes} allowed`,
    'Shorten it, or raise the limit (maxTurnBytes; --max-turn-mb on the command line)',
  );
}
