import { PUBLISHED_WHO_AND_WHEN } from '../published.js';
import type { Score } from '../score/run-score.js';
import { inOrder, type ScoredWalk, scoreOn, WHO_AND_WHEN, whence } from './scored-walk.js';
import type { Cell, Table } from './table.js';

/** Table 2 of the paper: Who&When, its two halves apart. All of its runs have failed, so there is no FAR. */
export function whoAndWhenTable(walks: readonly ScoredWalk[]): Table | undefined {
  const there = inOrder(walks).filter((walk) => WHO_AND_WHEN.some(([dataset]) => scoreOn(walk, dataset)));
  if (there.length === 0) return undefined;
  return {
    title: 'Who&When',
    notes: [
      'All runs have failed: an alarm at every run costs nothing here, and no figure tells how often a healthy run would be halted.',
      'AG, algorithm-generated, and HC, hand-crafted, are never added up. Steps are compared as whole numbers, agents by base name: `Orchestrator (thought)` is `Orchestrator`.',
      'Published (arXiv 2605.08715 and post-hoc methods that know that the run has failed): ' +
        PUBLISHED_WHO_AND_WHEN.map(publishedText).join('; ') +
        '. They are not given per half and backbone, so no difference is drawn.',
    ],
    columns: [
      { name: 'auditor' },
      { name: 'backbone' },
      { name: 'protocol' },
      { name: 'row' },
      ...WHO_AND_WHEN.flatMap(([, half]) => [
        { name: `${half} Step-Acc` },
        { name: `${half} Agent-Acc` },
        { name: `${half} ASS`, digits: 2 },
        { name: `${half} premature` },
      ]),
    ],
    rows: there.map(row),
  };
}

function row(walk: ScoredWalk): readonly Cell[] {
  return [
    walk.method,
    walk.backbone ?? 'none',
    walk.protocol,
    whence(walk),
    ...WHO_AND_WHEN.flatMap(([dataset]) => cells(scoreOn(walk, dataset)?.overall)),
  ];
}

function cells(score: Score | undefined): readonly Cell[] {
  if (!score) return [null, null, null, null];
  const { stepAcc, agentAcc, ass, prematureAlarms } = score;
  return [stepAcc, agentAcc, ass?.value ?? null, prematureAlarms?.value ?? null];
}

function publishedText({ what, unit, value, about }: (typeof PUBLISHED_WHO_AND_WHEN)[number]): string {
  return `${what} ${about ? 'about ' : ''}${value} ${unit}`;
}
