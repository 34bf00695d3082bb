import { chartFrame, colourOf, PLOT } from './chart-frame.js';
import { element, escaped } from './markup.js';
import { type NumberAxis, numberAxis, type PlacedAxis } from './number-axis.js';

export interface ScatterPoint {
  /** Written beside the dot. */
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** Ends of the intervals, drawn as thin lines through the dot. */
  readonly across?: readonly [low: number, high: number] | undefined;
  readonly up?: readonly [low: number, high: number] | undefined;
}

export interface ScatterSeries {
  readonly name: string;
  /** Hollow dots, for what was read somewhere and not measured here. */
  readonly isHollow?: boolean | undefined;
  readonly points: readonly ScatterPoint[];
}

/** A part of the plane that means something. */
export interface ScatterRegion {
  readonly name: string;
  readonly x: readonly [from: number, to: number];
  readonly y: readonly [from: number, to: number];
}

export interface ScatterChart {
  readonly title: string;
  readonly x: NumberAxis;
  readonly y: NumberAxis;
  /** Shown in any case, whatever the points reach: `[0, 100]` for percentages. */
  readonly extent: { readonly x: readonly [number, number]; readonly y: readonly [number, number] };
  readonly region?: ScatterRegion | undefined;
  readonly series: readonly ScatterSeries[];
}

const REGION_COLOUR = '#009e73';
const NAME_SIZE = 11;
const LETTER = 6;
const LINE = NAME_SIZE + 2;

/** A whole SVG document. @throws RangeError at a number that is not finite, or not positive on a log axis */
export function scatterChart({ title, x, y, extent, region, series }: ScatterChart): string {
  const points = series.flatMap(({ points }) => points);
  const across = numberAxis(
    x,
    [...extent.x, ...points.flatMap((point) => [point.x, ...(point.across ?? [])])],
    [PLOT.left, PLOT.right],
  );
  const up = numberAxis(
    y,
    [...extent.y, ...points.flatMap((point) => [point.y, ...(point.up ?? [])])],
    [PLOT.bottom, PLOT.top],
  );
  const names = placedNames(points, across, up);
  const marks = [
    region ? regionMarks(region, across, up) : '',
    ...series.flatMap((one, index) =>
      one.points.map((point) => pointMarks(point, one, colourOf(index), across, up)),
    ),
    ...names,
  ];
  return chartFrame({
    title,
    x: across,
    y: up,
    legend: series.length > 1 ? series.map(({ name }) => name) : [],
    marks: marks.join('\n'),
  });
}

function regionMarks({ name, x, y }: ScatterRegion, across: PlacedAxis, up: PlacedAxis): string {
  const [left, right] = [across.at(x[0]), across.at(x[1])];
  const [bottom, top] = [up.at(y[0]), up.at(y[1])];
  const place = { x: left, y: top, width: right - left, height: bottom - top };
  return (
    element('rect', { ...place, fill: REGION_COLOUR, 'fill-opacity': 0.13 }) +
    element('text', { class: 'soft', x: left + 6, y: top + 15, 'font-size': NAME_SIZE }, escaped(name))
  );
}

function pointMarks(
  { name, x, y, across, up }: ScatterPoint,
  { isHollow = false }: ScatterSeries,
  colour: string,
  toX: PlacedAxis,
  toY: PlacedAxis,
): string {
  const [cx, cy] = [toX.at(x), toY.at(y)];
  const whisker = (x1: number, y1: number, x2: number, y2: number) =>
    element('line', { x1, y1, x2, y2, stroke: colour, 'stroke-width': 1, 'stroke-opacity': 0.6 });
  const told = element('title', {}, escaped(`${name}: ${x}, ${y}`));
  const fill = isHollow ? 'none' : colour;
  return [
    across ? whisker(toX.at(across[0]), cy, toX.at(across[1]), cy) : '',
    up ? whisker(cx, toY.at(up[0]), cx, toY.at(up[1])) : '',
    element('circle', { cx, cy, r: 4.5, fill, stroke: colour, 'stroke-width': 2 }, told),
  ].join('');
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Names go right of their dot, or where they cross neither another name nor the frame; else they are told on pointing alone. */
function placedNames(points: readonly ScatterPoint[], x: PlacedAxis, y: PlacedAxis): string[] {
  const taken: Box[] = points.map((point) => around(x.at(point.x), y.at(point.y)));
  return points.flatMap(({ name, ...point }) => {
    const [cx, cy] = [x.at(point.x), y.at(point.y)];
    const width = name.length * LETTER;
    const place = placesAround(cx, cy, width).find(
      (box) => isInside(box) && !taken.some((other) => overlaps(box, other)),
    );
    if (!place) return [];
    taken.push(place);
    return [
      element(
        'text',
        { class: 'ink', x: place.left, y: place.bottom - 3, 'font-size': NAME_SIZE },
        escaped(name),
      ),
    ];
  });
}

function around(cx: number, cy: number): Box {
  return { left: cx - 5, right: cx + 5, top: cy - 5, bottom: cy + 5 };
}

function placesAround(cx: number, cy: number, width: number): readonly Box[] {
  const box = (left: number, top: number): Box => ({ left, right: left + width, top, bottom: top + LINE });
  return [
    box(cx + 8, cy - LINE / 2),
    box(cx + 6, cy - LINE - 5),
    box(cx + 6, cy + 5),
    box(cx - 8 - width, cy - LINE / 2),
    box(cx - width / 2, cy - LINE - 7),
    box(cx - width / 2, cy + 7),
    box(cx - 6 - width, cy - LINE - 5),
    box(cx - 6 - width, cy + 5),
  ];
}

function isInside({ left, right, top, bottom }: Box): boolean {
  return left >= PLOT.left && right <= PLOT.right && top >= PLOT.top && bottom <= PLOT.bottom;
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
