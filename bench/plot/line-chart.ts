import { line } from 'd3-shape';
import { chartFrame, colourOf, PLOT } from './chart-frame.js';
import { element, escaped } from './markup.js';
import { type NumberAxis, numberAxis, type PlacedAxis } from './number-axis.js';

export interface LineSeries {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  readonly x: NumberAxis;
  readonly y: NumberAxis;
  readonly series: readonly LineSeries[];
}

/** A whole SVG document. @throws RangeError at a number that is not finite, or not positive on a log axis */
export function lineChart({ title, x, y, series }: LineChart): string {
  const points = series.flatMap(({ points }) => points);
  const across = numberAxis(
    x,
    points.map(([value]) => value),
    [PLOT.left, PLOT.right],
  );
  const up = numberAxis(
    y,
    points.map(([, value]) => value),
    [PLOT.bottom, PLOT.top],
  );
  const marks = series.map((one, index) => lineMarks(one, colourOf(index), across, up));
  const legend = series.map(({ name }) => name);
  return chartFrame({ title, x: across, y: up, legend, marks: marks.join('\n') });
}

/** The line, and a dot for each point that tells its numbers when pointed at. */
function lineMarks({ name, points }: LineSeries, colour: string, x: PlacedAxis, y: PlacedAxis): string {
  const path = line<readonly [number, number]>(
    ([value]) => x.at(value),
    ([, value]) => y.at(value),
  ).digits(2)(points);
  const dots = points.map(([across, up]) => {
    const told = element('title', {}, escaped(`${name}: ${across}, ${up}`));
    return element('circle', { cx: x.at(across), cy: y.at(up), r: 3.5, fill: colour }, told);
  });
  const drawn = element('path', { d: path ?? '', fill: 'none', stroke: colour, 'stroke-width': 2.5 });
  return drawn + dots.join('');
}
