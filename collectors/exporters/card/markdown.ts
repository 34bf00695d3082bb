/** One line of text that Markdown and HTML make nothing of, whoever wrote it. */
export function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[\\`*_{}[\]()#|!~]/g, '\\$&')
    .trim();
}

/** @param header its columns' names, then rows of cells; cells are made plain */
export function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? String(cell) : plain(cell))).join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

/** A block of JSON that no text within it can end: a back-tick is written as JSON may write it. */
export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, undefined, 2).replaceAll('`', '\\u0060')}\n\`\`\``;
}
