import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { StageManifest } from '../../collectors/pipeline/stage-manifest.js';
import type { CompletenessReport } from '../../collectors/stages/ingest/completeness.js';
import type { FinishedStep } from '../collect.js';
import { whole } from '../figures.js';
import { table } from '../table.js';
import { oneLine } from '../terminal-text.js';

const SHOWN = 3;
const WIDTH = 60;

/** What was read, by format. @param out the pipeline's folder */
export async function completenessTable(out: string): Promise<readonly string[]> {
  const text = await readFile(path.join(out, 'ingest.report.json'), 'utf8');
  const { formats } = JSON.parse(text) as CompletenessReport;
  const rows = Object.entries(formats).map(([format, of]) => [
    oneLine(format, WIDTH),
    whole(of.runs),
    whole(of.turns),
    whole(of.taken),
    most(of.dropped),
    whole(of.withoutOutcome),
    whole(of.redacted),
    whole(of.unreadable),
    most(of.quirks),
  ]);
  const head = [
    'format',
    'runs',
    'turns',
    'taken',
    'left out',
    'no outcome',
    'redacted',
    'unreadable',
    'odd',
  ];
  return table(head, rows);
}

/** What became of it, step by step. */
export function stepTable(steps: readonly FinishedStep[]): readonly string[] {
  const rows = steps.map(({ manifest, reused }) => {
    const { name, counts } = manifest;
    const title = `${oneLine(name, WIDTH)}${reused ? ' (as before)' : ''}`;
    if (!counts) return [title, '', '', '', '', ''];
    const { in: given, kept, undecided, out } = counts;
    return [title, whole(given), whole(kept), droppedBy(manifest), whole(undecided), whole(out)];
  });
  return table(['stage', 'in', 'kept', 'dropped', 'undecided', 'out'], rows);
}

function droppedBy({ counts, decisions = [] }: StageManifest): string {
  const dropped = whole(counts?.dropped ?? 0);
  const rules: Record<string, number> = {};
  for (const { rule, verdict, count } of decisions)
    if (verdict === 'drop') rules[rule] = (rules[rule] ?? 0) + count;
  return Object.keys(rules).length === 0 ? dropped : `${dropped} (${most(rules)})`;
}

/** `coherence 12, integrity 4` */
function most(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).sort(([, one], [, other]) => other - one);
  const shown = sorted.slice(0, SHOWN).map(([name, count]) => `${oneLine(name, WIDTH)} ${whole(count)}`);
  return [...shown, ...(sorted.length > SHOWN ? ['…'] : [])].join(', ') || '0';
}
