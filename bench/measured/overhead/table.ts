/** For people, on stdout: the first column to the left, the others to the right. */
export function printTable(lines: readonly (readonly string[])[]): void {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    const padded = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths?.[at] ?? 0) : cell.padStart(widths?.[at] ?? 0),
    );
    console.log(padded.join('  '));
  }
  console.log();
}
