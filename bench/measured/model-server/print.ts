import type { Tally, Tokens } from './tally.js';
import type { AuditedStep } from './walk.js';

const HEAD = ['layout', 'run', 'step', 'call', 'prompt', 'cached', 'decoded', 'ms', 'came of it', 'score'];
const NUMBERS = new Set(['step', 'prompt', 'cached', 'decoded', 'ms', 'score']);

/** One line per call; what the audit came to stands on its last one. */
export function printSteps(audits: readonly AuditedStep[]): void {
  const rows = audits.flatMap((audit) => {
    const { layout, runId, step, exchanges } = audit;
    const { outcome, score } = outcomeOf(audit);
    const calls = exchanges.map(({ call, fault }, index) => {
      const isLast = index === exchanges.length - 1;
      const came = [call.failed ?? fault, isLast ? outcome : undefined].filter(Boolean).join(' → ');
      const { inputTokens, cachedInputTokens, outputTokens, durationMs } = call;
      const counts = [inputTokens, cachedInputTokens, outputTokens, Math.round(durationMs)];
      const cells = counts.map((count) => count?.toLocaleString('en') ?? '');
      return [layout, runId, String(step), call.purpose, ...cells, came, isLast ? score : ''];
    });
    return calls.length > 0 ? calls : [[layout, runId, String(step), '', '', '', '', '', outcome, score]];
  });
  printTable(HEAD, rows);
}

export function printTotals(byLayout: ReadonlyMap<string, Tally>): void {
  const layouts = [...byLayout];
  const row = (title: string, cell: (tally: Tally) => string | number) => [
    title,
    ...layouts.map(([, tally]) => String(cell(tally))),
  ];
  printTable(
    ['', ...layouts.map(([layout]) => layout)],
    [
      row('audits', ({ audits }) => audits),
      row('  continue / alarm', ({ continues, alarms }) => `${continues} / ${alarms}`),
      row('  failed', ({ failures }) => counts(failures)),
      row('  with a score', ({ scored }) => scored),
      row('  prompt cut', ({ cut }) => cut),
      row('probes: decided / asked', ({ probes }) => `${probes.decided} / ${probes.asked}`),
      row(
        'replies that parsed (at repair)',
        ({ replies }) => `${replies.parsed} (${replies.parsedAtRepair})`,
      ),
      row('replies that did not', ({ replies }) => counts(replies.faults)),
      row('prompt tokens cached, first calls', ({ firstCalls }) => share(firstCalls)),
      row('prompt tokens cached, all calls', ({ allCalls }) => share(allCalls)),
      row('tokens decoded', ({ allCalls }) => allCalls.decoded.toLocaleString('en')),
      row('ms per audit, median', ({ msPerAudit }) => msPerAudit?.toLocaleString('en') ?? '-'),
    ],
  );
}

/** The first reply that is a verdict and the first of each fault, each as one JSON string: a model may write anything. */
export function printReplies(audits: readonly AuditedStep[]): void {
  const shown = new Set<string>();
  for (const { exchanges } of audits) {
    for (const { call, reply, fault = 'parsed' } of exchanges) {
      if (!reply || call.purpose === 'probe' || shown.has(fault)) continue;
      shown.add(fault);
      console.log(`${fault} (${call.purpose}): ${JSON.stringify(reply.text)}`);
    }
  }
}

function outcomeOf({ result }: AuditedStep): { outcome: string; score: string } {
  if ('failure' in result) return { outcome: `failed: ${result.failure.kind}`, score: '' };
  const { verdict } = result;
  const outcome = verdict.kind === 'alarm' ? `ALARM at ${verdict.step}` : 'continue';
  return { outcome, score: verdict.score?.toFixed(3) ?? '' };
}

function counts(byName: Readonly<Record<string, number>>): string {
  return (
    Object.entries(byName)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || '0'
  );
}

function share({ prompt, cached, cachedShare }: Tokens): string {
  if (cachedShare === null) return '-';
  return `${cached.toLocaleString('en')} of ${prompt.toLocaleString('en')} = ${(cachedShare * 100).toFixed(1)} %`;
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return NUMBERS.has(head[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
    });
    console.log(cells.join('  ').trimEnd());
  }
  console.log();
}
