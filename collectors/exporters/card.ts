import { writeFile } from 'node:fs/promises';
import type { JsonValue } from '../../core/index.js';
import type { Sample } from '../sample.js';
import { CorpusCounts } from './card/corpus-counts.js';
import type { DecisionCount } from './card/decision-counts.js';
import { jsonBlock, plain, table } from './card/markdown.js';
import { writeWhole } from './write-whole.js';

/** What a stage's manifest says, as the card tells it. */
export interface StageAccount {
  readonly name: string;
  readonly options: JsonValue;
  /** What `prepare` found: of a probe, its results. */
  readonly found?: JsonValue | undefined;
  readonly decisions: readonly DecisionCount[];
}

export interface CardOptions {
  readonly title: string;
  /** The stages that the samples went through, in order. */
  readonly stages?: readonly StageAccount[] | undefined;
  /** What users must know besides, one sentence each. */
  readonly limits?: readonly string[] | undefined;
}

const LIMITS = [
  'Labels are counted in turns, 0-based; turn 0 is the task.',
  'A label names one decisive error. Other flaws of a run are not labelled.',
  'Injected errors are written by a program or a model, and may be told from natural ones by their style: report scores on natural errors apart.',
  'References and reasons of labels are in the data. They must not reach the prompt of an auditor.',
];

/** Writes a dataset card: Markdown with the front matter that dataset hubs read. @returns how many samples it describes */
export function exportCard(
  samples: AsyncIterable<Sample>,
  path: string,
  options: CardOptions,
): Promise<number> {
  return writeWhole(path, async (partial) => {
    const counts = new CorpusCounts();
    for await (const sample of samples) counts.add(sample);
    await writeFile(partial, cardOf(counts, options));
    return counts.samples;
  });
}

function cardOf(counts: CorpusCounts, { title, stages = [], limits = [] }: CardOptions): string {
  const { least, median, most } = counts.turns;
  const { count, largest } = counts.groups;
  const parts = [
    frontMatter(title, counts),
    `# ${plain(title)}`,
    `${counts.samples} runs of multi-agent systems, of ${least} to ${most} turns (median ${median}), for training and testing auditors.`,
    '## Provenance and licence',
    table(['format', 'licence', 'runs'], rowsOf(counts.sources, ['', 'not stated'])),
    ...(counts.faults.size > 0
      ? [
          'Runs made from others, by the fault that was written into them:',
          table(['fault', 'method', 'runs'], rowsOf(counts.faults)),
        ]
      : []),
    '## Labels and splits',
    table(['domain', 'label', 'source', 'split', 'runs'], rowsOf(counts.labels, ['none', '', '–', 'none'])),
    groupsLine(count, largest, counts.ungrouped),
    `${counts.scored} runs have a scored outcome. ${counts.pairs} boundary pairs.`,
    ...(stages.length > 0 ? ['## How it was made', ...stages.flatMap(stageParts)] : []),
    '## Known limits',
    [...LIMITS, ...limits].map((limit) => `- ${plain(limit)}`).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function groupsLine(count: number, largest: number, ungrouped: number): string {
  if (count === 0) return 'Runs are not grouped: a task may stand on both sides of a split.';
  const rest = ungrouped > 0 ? ` ${ungrouped} runs are in no group.` : '';
  return `${count} groups of runs that share a task, a history or a parent, the largest of ${largest}; no group is parted by a split.${rest}`;
}

function stageParts({ name, options, found, decisions }: StageAccount): readonly string[] {
  const rows = decisions.map(({ rule, verdict, reason, count }) => [rule, verdict, reason, count]);
  return [
    `### ${plain(name)}`,
    `Options:\n\n${jsonBlock(options)}`,
    ...(found === undefined ? [] : [`Found:\n\n${jsonBlock(found)}`]),
    ...(rows.length > 0 ? [table(['rule', 'verdict', 'reason', 'decisions'], rows)] : []),
  ];
}

/** YAML, of which JSON is a part: so every text is quoted as JSON is. */
function frontMatter(title: string, counts: CorpusCounts): string {
  const licences = [...new Set(rowsOf(counts.sources).map(([, licence]) => String(licence)))].filter(Boolean);
  const hubLicence = licences.length === 1 ? licences[0]?.toLowerCase() : 'other';
  const lines = {
    pretty_name: title,
    license: hubLicence,
    ...(licences.length > 1 && { license_name: licences.join(', ') }),
    task_categories: ['text-classification'],
    tags: ['multi-agent', 'auditing', 'trajectories'],
    size_categories: [sizeOf(counts.samples)],
  };
  const yaml = Object.entries(lines).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ['---', ...yaml, '---'].join('\n');
}

const SIZES: readonly (readonly [below: number, name: string])[] = [
  [1_000, 'n<1K'],
  [10_000, '1K<n<10K'],
  [100_000, '10K<n<100K'],
  [1_000_000, '100K<n<1M'],
];

function sizeOf(samples: number): string {
  return SIZES.find(([below]) => samples < below)?.[1] ?? 'n>1M';
}

/** Sorted; an empty cell shows its column's word for nothing. */
function rowsOf(
  counts: ReadonlyMap<string, number>,
  nothing: readonly string[] = [],
): readonly (string | number)[][] {
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, count]) => [
      ...(JSON.parse(key) as string[]).map((cell, at) => cell || (nothing[at] ?? '')),
      count,
    ]);
}
