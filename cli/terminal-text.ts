import { stripVTControlCharacters } from 'node:util';

/**
 * Agent text on one terminal line, cut to `width`. It is hostile: an escape sequence in it could move the cursor, hide
 * the verdict or set the window's title, and a direction override could make it read as something else.
 */
export function oneLine(text: string, width: number): string {
  const head = text.slice(0, width * 4 + 64);
  const plain = stripVTControlCharacters(head)
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu, ' ')
    .trim();
  return plain.length > width || head.length < text.length
    ? `${plain.slice(0, Math.max(0, width - 1))}…`
    : plain;
}
