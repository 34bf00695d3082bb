import type { WalkCost } from './walk.js';

type Row = Readonly<Record<string, string | number>>;

/** What was walked, and how. */
interface Walked {
  readonly corpus: string;
  readonly turns: number;
  readonly layout: string;
  readonly schedule: string;
}

export function promptRow(walked: Walked, cost: WalkCost): Row {
  const { calls, promptTokens, prefilledTokens, longest } = cost;
  // Under the published layout every prompt breaks with the one before it: there is nothing to compact.
  const compactions = walked.layout === 'published' ? 0 : cost.breaks;
  return { ...walked, calls, promptTokens, prefilledTokens, longest, compactions };
}

/** Tokens of prompts and replies with reasons at every call, and behind a probe that clears as much as it may, or nothing. */
export function decodingRows(
  walked: { readonly corpus: string; readonly schedule: string },
  { calls, prefilledTokens, repeatedTokens, callsFromLabel, repeatedFromLabel }: WalkCost,
  replyTokens: number,
): Row[] {
  const row = (mode: string, prefilled: number, decoded: number) => ({
    ...walked,
    mode,
    calls,
    prefilledTokens: prefilled,
    decodedTokens: decoded,
  });
  return [
    row('reasons', prefilledTokens, calls * replyTokens),
    row('probe, best', prefilledTokens + repeatedFromLabel, calls + callsFromLabel * replyTokens),
    row('probe, worst', prefilledTokens + repeatedTokens, calls + calls * replyTokens),
  ];
}

/** Rows that all have the same columns: text to the left, numbers to the right. */
export function printTable(rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => shown(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  for (const line of cells) {
    const padded = line.map((cell, at) => {
      const isNumber = typeof rows[0]?.[columns[at] ?? ''] === 'number';
      return isNumber ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
    });
    console.log(padded.join('  ').trimEnd());
  }
}

function shown(value: string | number | undefined): string {
  return typeof value === 'number' ? value.toLocaleString('en') : (value ?? '');
}
