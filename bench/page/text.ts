import { escaped } from '../plot/markup.js';

/** Would make a text read as something else than it says. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of agents, auditors and files as HTML text. It is hostile: nothing of it is markup, and it runs in one direction. */
export function shown(text: string): string {
  return escaped(text.replace(DIRECTION_CONTROLS, '\ufffd'));
}

/** A table; cells are markup already, and all columns but the first `left` ones are numbers. */
export function htmlTable(head: readonly string[], rows: readonly (readonly string[])[], left = 1): string {
  const cells = (tag: 'th' | 'td', row: readonly string[]) =>
    row.map((cell, column) => `<${tag}${column < left ? '' : ' class="number"'}>${cell}</${tag}>`).join('');
  return `<table><thead><tr>${cells('th', head)}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells('td', row)}</tr>`)
    .join('\n')}</tbody></table>`;
}
