import type { Protocol } from '../protocol.js';
import type { Score } from '../score/run-score.js';
import type { DatasetScore } from '../score.js';

/** What a row stands for. Floors understand nothing; a record is somebody else's predictions, scored here. */
export type WalkKind = 'auditor' | 'baseline' | 'floor' | 'record';

/** One auditor's predictions under one protocol, scored here. */
export interface ScoredWalk {
  readonly method: string;
  readonly kind: WalkKind;
  /** The model behind it; absent for what asks none. */
  readonly backbone?: string | undefined;
  readonly protocol: Protocol;
  readonly scores: readonly DatasetScore[];
}

export const AFTRAJ = 'aftraj';
export const AFTRAJ_DOMAINS = ['math', 'coding', 'agentic'] as const;
export const WHO_AND_WHEN = [
  ['who-and-when-ag', 'AG'],
  ['who-and-when-hc', 'HC'],
] as const;

export function scoreOn({ scores }: ScoredWalk, dataset: string): DatasetScore | undefined {
  return scores.find((score) => score.dataset === dataset);
}

export function partOf(
  score: DatasetScore,
  dimension: 'domain' | 'source' | 'split',
  part: string,
): Score | undefined {
  return score.by[dimension]?.[part];
}

const KINDS: readonly WalkKind[] = ['auditor', 'baseline', 'record', 'floor'];
const PROTOCOL_ORDER: readonly Protocol[] = ['strict', 'official', 'post-hoc'];

/** Protocols are never mixed; within one, what is judged stands before the floors that it must beat. */
export function inOrder(walks: readonly ScoredWalk[]): readonly ScoredWalk[] {
  return walks.toSorted(
    (one, other) =>
      PROTOCOL_ORDER.indexOf(one.protocol) - PROTOCOL_ORDER.indexOf(other.protocol) ||
      KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
  );
}

/** Where a row's figures come from, in a word or two. */
export function whence({ kind }: ScoredWalk): string {
  return { auditor: 'measured', baseline: 'measured', floor: 'floor', record: 'scored anew' }[kind];
}
