import type { Estimate } from '../../collectors/first-alarms/estimate.js';
import { htmlTable, shown } from '../page/text.js';

/** Nothing is known where it is null. An estimate is shown with its interval, a number with the column's digits. */
export type Cell = string | number | Estimate | null;

export interface Column {
  readonly name: string;
  /** After the decimal point. Default 1. */
  readonly digits?: number | undefined;
  /** A difference, which always has a sign. */
  readonly isSigned?: boolean | undefined;
}

/** A table that is written as Markdown, as HTML, or as JSON; the first columns are words. */
export interface Table {
  readonly title: string;
  /** What a reader must know to read it right. */
  readonly notes: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

const NONE = '–';

export function markdownTable({ title, notes, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const isText = textColumns(rows);
  return [
    `## ${inMarkdown(title)}`,
    '',
    line(columns.map(({ name }) => inMarkdown(name))),
    line(columns.map((_, at) => (isText[at] ? '---' : '---:'))),
    ...rows.map((row) =>
      line(
        row.map((cell, at) => (typeof cell === 'string' ? inMarkdown(cell) : cellText(cell, columns[at]))),
      ),
    ),
    '',
    ...notes.map((note) => `- ${inMarkdown(note)}`),
  ].join('\n');
}

export function htmlTableSection({ title, notes, columns, rows }: Table): string {
  const isText = textColumns(rows);
  const table = htmlTable(
    columns.map(({ name }) => shown(name)),
    rows.map((row) => row.map((cell, at) => shown(cellText(cell, columns[at])))),
    isText.indexOf(false) === -1 ? columns.length : isText.indexOf(false),
  );
  const told = notes.map((note) => `<p class="facts">${shown(note)}</p>`).join('\n');
  return `<section><h2>${shown(title)}</h2><div class="wide">${table}</div>\n${told}</section>`;
}

/** One object per row, by the columns' names. */
export function jsonRows({ columns, rows }: Table): readonly Readonly<Record<string, Cell>>[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));
}

export function cellText(
  cell: Cell | undefined,
  { digits = 1, isSigned = false }: Partial<Column> = {},
): string {
  if (cell === null || cell === undefined) return NONE;
  if (typeof cell === 'string') return cell;
  const written = (value: number) => value.toFixed(digits);
  if (typeof cell === 'number') return isSigned && cell > 0 ? `+${written(cell)}` : written(cell);
  return `${written(cell.value)} [${written(cell.low)}, ${written(cell.high)}]`;
}

/** Of each column, whether all that is known in it is words. */
function textColumns(rows: readonly (readonly Cell[])[]): boolean[] {
  const [first = []] = rows;
  return first.map((_, at) => rows.every((row) => row[at] === null || typeof row[at] === 'string'));
}

/** Names come from files; nothing of them may end a cell, or be a link, markup or HTML. */
function inMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\|`*<>[\]#]/g, '\\$&');
}
