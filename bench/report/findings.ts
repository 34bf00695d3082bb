import type { Estimate } from '../../collectors/first-alarms/estimate.js';
import { DEPLOYABLE_REGION } from '../published.js';
import { AFTRAJ, inOrder, partOf, type ScoredWalk, scoreOn } from '../tables/scored-walk.js';

/** What a figure shows, beside the best floor of its protocol. */
export interface Finding {
  readonly method: string;
  readonly backbone: string | undefined;
  readonly protocol: ScoredWalk['protocol'];
  readonly exactF1: Estimate;
  /** The highest of the floors under the same protocol; absent where none was walked. */
  readonly floor: { readonly method: string; readonly exactF1: Estimate } | undefined;
  /** `above` or `below` only where the intervals do not touch. */
  readonly against: 'above' | 'below' | 'not told apart' | 'no floor';
  readonly natural: Estimate | null;
  /** Whether it lies in the paper's deployable region; null where its FAR is not known. */
  readonly isDeployable: boolean | null;
}

/** What each auditor's figures on AFTraj show. Floors are what they are compared with. */
export function findingsOf(walks: readonly ScoredWalk[]): readonly Finding[] {
  return inOrder(walks).flatMap((walk) => {
    const score = scoreOn(walk, AFTRAJ);
    const exactF1 = score?.overall.exactF1Released;
    if (walk.kind === 'floor' || !score || !exactF1) return [];
    const floor = bestFloor(walks, walk.protocol);
    const { method, backbone, protocol } = walk;
    const { far, stepAcc } = score.overall;
    const natural = partOf(score, 'source', 'natural')?.exactF1Released ?? null;
    const isDeployable =
      far && stepAcc
        ? far.value <= DEPLOYABLE_REGION.mostFar && stepAcc.value >= DEPLOYABLE_REGION.leastStepAcc
        : null;
    return [
      {
        method,
        backbone,
        protocol,
        exactF1,
        floor,
        against: compared(exactF1, floor?.exactF1),
        natural,
        isDeployable,
      },
    ];
  });
}

function bestFloor(walks: readonly ScoredWalk[], protocol: ScoredWalk['protocol']): Finding['floor'] {
  const floors = walks.flatMap((walk) => {
    const exactF1 = scoreOn(walk, AFTRAJ)?.overall.exactF1Released;
    return walk.kind === 'floor' && walk.protocol === protocol && exactF1
      ? [{ method: walk.method, exactF1 }]
      : [];
  });
  return floors.reduce<Finding['floor']>(
    (best, one) => (best && best.exactF1.value >= one.exactF1.value ? best : one),
    undefined,
  );
}

function compared(ours: Estimate, floor: Estimate | undefined): Finding['against'] {
  if (!floor) return 'no floor';
  if (ours.low > floor.high) return 'above';
  return ours.high < floor.low ? 'below' : 'not told apart';
}

/** @example "zero-shot (Qwen3-8B), strict: Exact-F1 28.4, below the floor no-text-probe (70.9)." */
export function findingText(finding: Finding): string {
  const { method, backbone, protocol, exactF1, floor, against, natural, isDeployable } = finding;
  const who = backbone === undefined ? method : `${method} (${backbone})`;
  const beside = floor
    ? `${against === 'not told apart' ? 'not told apart from' : against} the floor ${floor.method} (${floor.exactF1.value.toFixed(1)})`
    : 'with no floor walked beside it, which says nothing';
  const told = [
    `${who}, ${protocol}: Exact-F1 ${exactF1.value.toFixed(1)}, ${beside}`,
    natural ? `on natural failures alone ${natural.value.toFixed(1)}` : '',
    isDeployable === null ? '' : isDeployable ? 'in the deployable region' : 'outside the deployable region',
  ];
  return `${told.filter((part) => part !== '').join('; ')}.`;
}
