import { chartFrame, colourOf, PLOT } from './chart-frame.js';
import { element, escaped } from './markup.js';
import { type NumberAxis, numberAxis, type PlacedAxis } from './number-axis.js';

/** One number per bin. */
export interface BarSeries {
  readonly name: string;
  readonly values: readonly number[];
}

/** A histogram: bars between edges, the series on top of one another. */
export interface BarChart {
  readonly title: string;
  readonly x: NumberAxis;
  readonly y: NumberAxis;
  /** Ascending, one more than there are bins. */
  readonly edges: readonly number[];
  readonly series: readonly BarSeries[];
}

/** A whole SVG document. @throws RangeError as the axes do */
export function barChart({ title, x, y, edges, series }: BarChart): string {
  const bins = edges.slice(1).map((_, bin) => bin);
  const totals = bins.map((bin) => series.reduce((sum, { values }) => sum + (values[bin] ?? 0), 0));
  const across = numberAxis(x, edges, [PLOT.left, PLOT.right]);
  const up = numberAxis(y, [0, ...totals], [PLOT.bottom, PLOT.top]);
  const marks = bins.flatMap((bin) => stack(bin, edges, series, across, up));
  const legend = series.length > 1 ? series.map(({ name }) => name) : [];
  return chartFrame({ title, x: across, y: up, legend, marks: marks.join('') });
}

/** Pixels left free between neighbours. */
const GAP = 1;

/** The bars of one bin, each with its numbers when pointed at. */
function stack(
  bin: number,
  edges: readonly number[],
  series: readonly BarSeries[],
  x: PlacedAxis,
  y: PlacedAxis,
): string[] {
  const [from, to] = [edges[bin] as number, edges[bin + 1] as number];
  let below = 0;
  return series.flatMap(({ name, values }, index) => {
    const value = values[bin] ?? 0;
    if (value === 0) return [];
    const top = y.at(below + value);
    const height = y.at(below) - top;
    below += value;
    const told = element('title', {}, escaped(`${name}: ${value} from ${short(from)} to ${short(to)}`));
    const place = {
      x: x.at(from) + GAP / 2,
      width: Math.max(1, x.at(to) - x.at(from) - GAP),
      y: top,
      height,
    };
    return [element('rect', { ...place, fill: colourOf(index) }, told)];
  });
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
