import { type LineSeries, lineChart } from '../plot/line-chart.js';
import type { ThresholdReport } from '../thresholds.js';
import type { SweepPoint } from './sweep.js';

/** More dots than this cannot be told apart, nor pointed at. */
const MOST_POINTS = 150;

type Metric =
  | 'far'
  | 'stepAcc'
  | 'exactF1Released'
  | 'exactF1Paper'
  | 'prefixFalseAlarms'
  | 'prematureAlarms';

/** What is bought with false alarms: Step-Acc and Exact-F1 against FAR, the picked points upon them. SVG. */
export function tradeOffChart({ sweep, natural, points }: ThresholdReport): string {
  const picked = points.map(({ name, score: { overall } }) => ({
    name: `picked, ${name}: Step-Acc`,
    points: overall.far && overall.stepAcc ? [[overall.far.value, overall.stepAcc.value] as const] : [],
  }));
  return lineChart({
    title: 'What is found, against healthy runs with an alarm',
    x: { label: 'FAR, % of healthy runs', scale: 'linear' },
    y: { label: '%', scale: 'linear' },
    series: [
      series('Step-Acc', sweep, 'far', 'stepAcc'),
      ...(natural ? [series('Step-Acc, natural', natural, 'far', 'stepAcc')] : []),
      series('Exact-F1, released', sweep, 'far', 'exactF1Released'),
      series('Exact-F1, paper', sweep, 'far', 'exactF1Paper'),
      ...picked,
    ].filter((one) => one.points.length > 0),
  });
}

/** What a threshold does. SVG. */
export function thresholdChart({ sweep }: ThresholdReport): string {
  return lineChart({
    title: 'Rates at each threshold',
    x: { label: 'the score must exceed', scale: 'linear' },
    y: { label: '%', scale: 'linear' },
    series: [
      series('FAR', sweep, 'above', 'far'),
      series('per-prefix FAR', sweep, 'above', 'prefixFalseAlarms'),
      series('premature', sweep, 'above', 'prematureAlarms'),
      series('Step-Acc', sweep, 'above', 'stepAcc'),
    ].filter((one) => one.points.length > 0),
  });
}

function series(name: string, sweep: readonly SweepPoint[], x: Metric | 'above', y: Metric): LineSeries {
  const points = sweep.flatMap((point) => {
    const [across, up] = [point[x], point[y]];
    return across === null || up === null ? [] : [[across, up] as const];
  });
  return { name, points: thinned(points) };
}

/** As many as can be drawn, the ends among them. */
function thinned<Point>(points: readonly Point[]): readonly Point[] {
  if (points.length <= MOST_POINTS) return points;
  const step = (points.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, at) => points[Math.round(at * step)] as Point);
}
