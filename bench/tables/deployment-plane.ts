import type { Estimate } from '../../collectors/first-alarms/estimate.js';
import { scatterChart } from '../plot/scatter-chart.js';
import type { Protocol } from '../protocol.js';
import { DEPLOYABLE_REGION, PUBLISHED_POINTS } from '../published.js';
import { AFTRAJ, type ScoredWalk, scoreOn, type WalkKind } from './scored-walk.js';

/** The paper's plane as SVG: false alarms against errors found, and the corner that may be deployed. */
export function deploymentPlane(walks: readonly ScoredWalk[], protocol: Protocol): string | undefined {
  const there = walks.filter((walk) => walk.protocol === protocol && scoreOn(walk, AFTRAJ)?.overall.far);
  if (there.length === 0) return undefined;
  const published = PUBLISHED_POINTS.filter((point) => point.protocol === protocol);
  const { mostFar, leastStepAcc } = DEPLOYABLE_REGION;
  return scatterChart({
    title: `False alarms and errors found, ${protocol} protocol`,
    x: { label: 'FAR: safe runs with an alarm, %', scale: 'linear' },
    y: { label: 'Step-Acc: errors found at their step, %', scale: 'linear' },
    extent: { x: [0, 100], y: [0, 100] },
    region: { name: 'deployable', x: [0, mostFar], y: [leastStepAcc, 100] },
    series: [
      { name: 'measured', points: pointsOf(there, ['auditor', 'baseline', 'record']) },
      { name: 'floors', points: pointsOf(there, ['floor']) },
      {
        name: 'published',
        isHollow: true,
        points: published.map(({ method, far, stepAcc }) => ({ name: method, x: far, y: stepAcc })),
      },
    ].filter(({ points }) => points.length > 0),
  });
}

function pointsOf(walks: readonly ScoredWalk[], kinds: readonly WalkKind[]) {
  return walks
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((walk) => {
      const { far, stepAcc } = scoreOn(walk, AFTRAJ)?.overall ?? {};
      if (!far || !stepAcc) return [];
      const name = walk.backbone === undefined ? walk.method : `${walk.method}, ${walk.backbone}`;
      return [{ name, x: far.value, y: stepAcc.value, across: ends(far), up: ends(stepAcc) }];
    });
}

function ends({ low, high }: Estimate): readonly [number, number] {
  return [low, high];
}
