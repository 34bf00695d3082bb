import { type PublishedAfTrajRow, publishedAfTraj } from '../published.js';
import type { Score } from '../score/run-score.js';
import { matchOf } from './match-published.js';
import { AFTRAJ, AFTRAJ_DOMAINS, inOrder, partOf, type ScoredWalk, scoreOn } from './scored-walk.js';
import type { Cell, Column, Table } from './table.js';

const COLUMNS: readonly Column[] = [
  { name: 'auditor' },
  { name: 'backbone' },
  { name: 'protocol' },
  { name: 'measured' },
  ...AFTRAJ_DOMAINS.flatMap((domain) => [{ name: `${domain} F1` }, { name: `${domain} ASS`, digits: 2 }]),
  { name: 'overall F1' },
  { name: 'overall ASS', digits: 2 },
  { name: 'natural F1' },
  { name: 'FAR' },
  { name: 'Step-Acc' },
  { name: 'F1, paper’s text' },
  { name: 'published F1' },
  { name: 'difference', isSigned: true },
];

/** Table 1 of the paper: AFTraj by domain, with what was published beside what was measured here. */
export function afTrajTable(walks: readonly ScoredWalk[]): Table | undefined {
  const there = inOrder(walks).filter((walk) => scoreOn(walk, AFTRAJ));
  if (there.length === 0) return undefined;
  const split = splitsOf(there);
  return {
    title: `AFTraj-2K, ${split}`,
    notes: NOTES,
    columns: COLUMNS,
    rows: [...there.map(measuredRow), ...publishedAfTraj.map(publishedRow)],
  };
}

const NOTES = [
  'F1 is Exact-F1 in percent as the released code counts it, every alarm in the precision; the last but two column is the paper’s text, where false alarms on safe runs do not count. Intervals are 95 %, bootstrapped over tasks.',
  'strict: every prefix of every run is judged. official: a safe run is judged once, as a whole, so that its FAR is not the chance that a healthy run gets halted. Compare within a protocol only.',
  'natural F1: of the unsafe runs only those that failed by themselves, beside all safe runs. The others hold an injected fault, and share phrasings that a rule can spot.',
  'Floors understand nothing. What does not beat them has shown nothing, however high its score.',
  'Published rows: arXiv 2605.08715, Table 1, as printed; their natural failures, intervals and strict scores are not known.',
];

function measuredRow(walk: ScoredWalk): readonly Cell[] {
  const score = scoreOn(walk, AFTRAJ);
  if (!score) throw new Error(`${walk.method} was not scored on ${AFTRAJ}`);
  const { overall } = score;
  const published = matchOf(walk, publishedAfTraj);
  const theirs = published?.exactF1.overall ?? null;
  const ours = overall.exactF1Released?.value ?? null;
  return [
    walk.method,
    walk.backbone ?? 'none',
    walk.protocol,
    walk.kind === 'floor' ? 'floor' : walk.kind === 'record' ? 'record, scored here' : 'here',
    ...AFTRAJ_DOMAINS.flatMap((domain) => domainCells(partOf(score, 'domain', domain))),
    overall.exactF1Released,
    overall.ass?.value ?? null,
    partOf(score, 'source', 'natural')?.exactF1Released ?? null,
    overall.far,
    overall.stepAcc,
    overall.exactF1Paper?.value ?? null,
    theirs,
    ours === null || theirs === null ? null : ours - theirs,
  ];
}

function domainCells(score: Score | undefined): readonly Cell[] {
  return [score?.exactF1Released?.value ?? null, score?.ass?.value ?? null];
}

function publishedRow({ method, backbone, protocol, exactF1, ass, far, stepAcc }: PublishedAfTrajRow): readonly Cell[] {
  return [
    method,
    backbone,
    protocol,
    'published',
    ...AFTRAJ_DOMAINS.flatMap((domain) => [exactF1[domain], ass[domain]]),
    null,
    ass.overall,
    null,
    far ?? null,
    stepAcc ?? null,
    null,
    exactF1.overall,
    null,
  ];
}

/** Which rows were walked: figures of training rows must never pass for the test split's. */
function splitsOf(walks: readonly ScoredWalk[]): string {
  const splits = new Set(walks.flatMap((walk) => Object.keys(scoreOn(walk, AFTRAJ)?.by.split ?? {})));
  if (splits.size === 0) return 'all rows given';
  return `${[...splits].sort().join(' and ')} split`;
}
