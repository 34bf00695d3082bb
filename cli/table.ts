import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { padded } from './terminal-text.js';

/** A table for a terminal: the first column to the left, the others to the right. Cells must be safe to print. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? padded(cell, width) : ' '.repeat(width - stringWidth(cell)) + cell;
      })
      .join('  ')
      .trimEnd();
  return [styleText('bold', line(head)), ...rows.map(line)];
}
