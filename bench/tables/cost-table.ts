import { inOrder, type ScoredWalk, whence } from './scored-walk.js';
import type { Cell, Table } from './table.js';

/** What a verdict costs: model calls, tokens and time, as the server and our clock told them. */
export function costTable(walks: readonly ScoredWalk[]): Table | undefined {
  const rows = inOrder(walks).flatMap((walk) => walk.scores.map((score) => row(walk, score)));
  const asked = rows.filter((cells) => cells.slice(5).some((cell) => cell !== null));
  if (asked.length === 0) return undefined;
  return {
    title: 'Cost',
    notes: [
      'Per run, to its end or its first alarm; tokens as the server counts them, cached ones within the prompt. Time is until the verdict, queueing included, on whatever served the model: it compares rows of one machine only.',
      'No published work tells the cost of its figures. The published prompt layout shares no prefix between steps; how many more tokens that prefills than ours is measured by npm run bench:cost.',
    ],
    columns: [
      { name: 'auditor' },
      { name: 'backbone' },
      { name: 'protocol' },
      { name: 'row' },
      { name: 'dataset' },
      { name: 'audits' },
      { name: 'calls', digits: 2 },
      { name: 'tokens in', digits: 0 },
      { name: 'cached', digits: 0 },
      { name: 'tokens out', digits: 0 },
      { name: 'median ms', digits: 0 },
      { name: 'p95 ms', digits: 0 },
      { name: 'failed audits, %' },
    ],
    rows: asked,
  };
}

function row(walk: ScoredWalk, { dataset, overall }: ScoredWalk['scores'][number]): readonly Cell[] {
  const { runs, tokensPerRun: tokens, latencyMs, failures } = overall;
  const isMetered = tokens !== null;
  return [
    walk.method,
    walk.backbone ?? 'none',
    walk.protocol,
    whence(walk),
    dataset,
    isMetered ? failures.audits / runs : null,
    tokens?.calls ?? null,
    tokens?.input ?? null,
    tokens?.cachedInput ?? null,
    tokens?.output ?? null,
    isMetered ? (latencyMs?.median ?? null) : null,
    isMetered ? (latencyMs?.p95 ?? null) : null,
    isMetered && failures.audits > 0 ? (100 * failures.failedAudits) / failures.audits : null,
  ];
}
