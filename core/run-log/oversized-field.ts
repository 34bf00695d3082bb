import { InputError, type InputLocation } from '../errors.js';
import type { TurnInput } from '../turn.js';

/** The error for a turn's text above the limit, or nothing. @param at the turn's own place in the file, such as `"history[3]"` */
export function oversizedField(
  location: InputLocation,
  at: string,
  turn: TurnInput,
  maxBytes: number,
): InputError | undefined {
  const texts: [string, string][] = [
    ['content', turn.content],
    ['thought', turn.thought ?? ''],
    ...(turn.toolCalls ?? []).map(({ args }, i): [string, string] => [
      `toolCalls[${i}].args`,
      JSON.stringify(args),
    ]),
  ];
  for (const [field, text] of texts) {
    // A string is at least as many bytes as it has code units; the exact count is only needed near the limit.
    if (text.length * 3 <= maxBytes) continue;
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      const what = `${megabytes(bytes)} of text, over the limit of ${megabytes(maxBytes)} for one turn`;
      return new InputError(
        { ...location, field: `${at}.${field}` },
        what,
        'Raise the limit with --max-turn-mb',
      );
    }
  }
  return undefined;
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
