import { PUBLISHED_POINTS, PUBLISHED_TABLE, type PublishedRow } from '../published.js';
import type { Score } from '../score/run-score.js';
import { publishedOf } from './match-published.js';
import { AFTRAJ, AFTRAJ_DOMAINS, inOrder, partOf, type ScoredWalk, scoreOn, whence } from './scored-walk.js';
import type { Cell, Column, Table } from './table.js';

const COLUMNS: readonly Column[] = [
  { name: 'auditor' },
  { name: 'backbone' },
  { name: 'protocol' },
  { name: 'row' },
  { name: 'overall F1' },
  { name: 'published' },
  { name: 'difference', isSigned: true },
  { name: 'natural F1' },
  { name: 'FAR' },
  { name: 'Step-Acc' },
  { name: 'ASS', digits: 2 },
  ...AFTRAJ_DOMAINS.flatMap((domain) => [{ name: `${domain} F1` }, { name: `${domain} ASS`, digits: 2 }]),
  { name: 'F1 by the paper’s text' },
];

const NOTES = [
  'F1 is Exact-F1 in percent as the released code counts it: every alarm is in the precision. By the paper’s text, false alarms on safe runs do not lower it. Intervals are 95 %, bootstrapped over tasks.',
  'strict: every prefix of every run is judged. official: a safe run is judged once, as a whole, so that its FAR is not the chance that a healthy run gets halted. Compare within a protocol only.',
  'natural F1: of the unsafe runs only those that failed by themselves, beside all safe runs. The others hold an injected fault, and share phrasings that a rule can spot.',
  'Floors understand nothing. An auditor that does not beat them has shown nothing, however high its score.',
  'Published rows: arXiv 2605.08715, Table 1, over its test split of 169 safe and 163 unsafe runs; only a row over as many has a difference. What it does not tell (natural failures, intervals, the strict protocol) is left open.',
];

/** Table 1 of the paper: AFTraj by domain, what was published beside what was measured here. */
export function afTrajTable(walks: readonly ScoredWalk[]): Table | undefined {
  const there = inOrder(walks).filter((walk) => scoreOn(walk, AFTRAJ));
  if (there.length === 0) return undefined;
  return {
    title: `AFTraj-2K, ${splitsOf(there)}`,
    notes: NOTES,
    columns: COLUMNS,
    rows: [...there.map(measuredRow), ...PUBLISHED_TABLE.map(publishedRow)],
  };
}

function measuredRow(walk: ScoredWalk): readonly Cell[] {
  const score = scoreOn(walk, AFTRAJ);
  if (!score) throw new Error(`${walk.method} was not scored on ${AFTRAJ}`);
  const { overall } = score;
  const theirs = isPapersSplit(overall) ? (publishedOf(walk)?.scores.overall.exactF1 ?? null) : null;
  const ours = overall.exactF1Released;
  return [
    walk.method,
    walk.backbone ?? 'none',
    walk.protocol,
    whence(walk),
    ours,
    theirs,
    ours === null || theirs === null ? null : ours.value - theirs,
    partOf(score, 'source', 'natural')?.exactF1Released ?? null,
    overall.far,
    overall.stepAcc,
    overall.ass?.value ?? null,
    ...AFTRAJ_DOMAINS.flatMap((domain) => domainCells(partOf(score, 'domain', domain))),
    overall.exactF1Paper?.value ?? null,
  ];
}

/** Any corpus in AFTraj's format goes by its name; the published figures are of these runs alone. */
function isPapersSplit({ safe, unsafe }: Score): boolean {
  return safe === 169 && unsafe === 163;
}

function domainCells(score: Score | undefined): readonly Cell[] {
  return [score?.exactF1Released?.value ?? null, score?.ass?.value ?? null];
}

function publishedRow({ method, backbone, protocol, kind, scores }: PublishedRow): readonly Cell[] {
  const point = PUBLISHED_POINTS.find((one) => one.method === method);
  return [
    kind === 'zero-shot' ? 'zero-shot' : method,
    backbone,
    protocol,
    'published',
    null,
    scores.overall.exactF1,
    null,
    null,
    point?.far ?? null,
    point?.stepAcc ?? null,
    scores.overall.ass,
    ...AFTRAJ_DOMAINS.flatMap((domain) => [scores[domain].exactF1, scores[domain].ass]),
    null,
  ];
}

/** Which rows were walked: figures of training rows must never pass for the test split's. */
function splitsOf(walks: readonly ScoredWalk[]): string {
  const splits = new Set(walks.flatMap((walk) => Object.keys(scoreOn(walk, AFTRAJ)?.by.split ?? {})));
  return splits.size === 0 ? 'all rows given' : `${[...splits].sort().join(' and ')} split`;
}
