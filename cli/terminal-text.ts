import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

/**
 * Text of agents, files and errors on one terminal line, at most `width` columns wide. It is hostile: an escape sequence
 * in it could move the cursor, hide the verdict or set the window's title, and a direction override could make it read as
 * something else. East Asian characters and emoji take two columns.
 */
export function oneLine(text: string, width: number): string {
  const head = text.slice(0, width * 4 + 64);
  const plain = stripVTControlCharacters(head)
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu, ' ')
    .trim();
  const isWhole = head.length === text.length;
  return isWhole && stringWidth(plain) <= width ? plain : `${cut(plain, width - 1)}…`;
}

/** Padded with spaces to `width` columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

function cut(text: string, width: number): string {
  let columns = 0;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    columns += stringWidth(segment);
    if (columns > width) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
