import { element, escaped } from './markup.js';

/** Where the marks of a chart go, in pixels of the whole picture; y grows downwards. */
export const PLOT = { left: 84, right: 700, top: 56, bottom: 384 } as const;

const WIDTH = 720;
const AXIS_SPACE = 64;
const LEGEND_LINE = 22;
/** Pixels of a letter at the legend's size, about. */
const LETTER = 7.2;

/** Told apart by people who do not see all colours (Okabe and Ito), and on either background. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9'] as const;

export function colourOf(series: number): string {
  return COLOURS[series % COLOURS.length] as string;
}

export interface Tick {
  /** Pixels from the left of the picture, or from its top. */
  readonly at: number;
  readonly text: string;
}

export interface FrameAxis {
  readonly label: string;
  readonly ticks: readonly Tick[];
}

export interface Frame {
  readonly title: string;
  readonly x: FrameAxis;
  readonly y: FrameAxis;
  /** In the order of {@link colourOf}. */
  readonly legend: readonly string[];
  /** The marks: SVG elements inside {@link PLOT}. */
  readonly marks: string;
}

/** A panel of its own colour, light or dark as the reader's system is, so that it can be read on any page. */
const STYLE = `
svg{font:13px system-ui,sans-serif}
.panel{fill:#fff}.ink{fill:#24292f}.soft{fill:#57606a}.grid{stroke:#d8dee4}.axis{stroke:#57606a}
@media (prefers-color-scheme:dark){.panel{fill:#161b22}.ink{fill:#e6edf3}.soft{fill:#9da7b3}.grid{stroke:#30363d}.axis{stroke:#9da7b3}}`;

/** What every chart has around its marks: title, axes with ticks and grid lines, legend. A whole SVG document. */
export function chartFrame({ title, x, y, legend, marks }: Frame): string {
  const entries = legendEntries(legend);
  const height = PLOT.bottom + AXIS_SPACE + entries.lines * LEGEND_LINE;
  const parts = [
    element('title', {}, escaped(title)),
    element('style', {}, STYLE),
    element('rect', { class: 'panel', width: WIDTH, height, rx: 8 }),
    text(title, { class: 'ink', x: PLOT.left, y: 32, 'font-size': 16, 'font-weight': 600 }),
    ...y.ticks.map(({ at, text: label }) => gridLine(PLOT.left, at, PLOT.right, at) + yTick(at, label)),
    ...x.ticks.map(({ at, text: label }) => gridLine(at, PLOT.top, at, PLOT.bottom) + xTick(at, label)),
    line('axis', PLOT.left, PLOT.bottom, PLOT.right, PLOT.bottom),
    line('axis', PLOT.left, PLOT.top, PLOT.left, PLOT.bottom),
    text(x.label, { class: 'ink', x: middle(PLOT.left, PLOT.right), y: PLOT.bottom + 42, ...CENTRED }),
    yLabel(y.label),
    marks,
    entries.markup,
  ];
  const size = { width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` };
  return `${element('svg', { xmlns: 'http://www.w3.org/2000/svg', role: 'img', ...size }, parts.join('\n'))}\n`;
}

const CENTRED = { 'text-anchor': 'middle' };

function middle(one: number, other: number): number {
  return (one + other) / 2;
}

function text(content: string, attributes: Readonly<Record<string, string | number>>): string {
  return element('text', attributes, escaped(content));
}

function line(kind: 'grid' | 'axis', x1: number, y1: number, x2: number, y2: number): string {
  return element('line', { class: kind, x1, y1, x2, y2 });
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  return line('grid', x1, y1, x2, y2);
}

function xTick(at: number, label: string): string {
  return text(label, { class: 'soft', x: at, y: PLOT.bottom + 20, ...CENTRED });
}

function yTick(at: number, label: string): string {
  return text(label, { class: 'soft', x: PLOT.left - 8, y: at + 4, 'text-anchor': 'end' });
}

function yLabel(label: string): string {
  const [x, y] = [20, middle(PLOT.top, PLOT.bottom)];
  return text(label, { class: 'ink', x, y, transform: `rotate(-90 ${x} ${y})`, ...CENTRED });
}

/** Names side by side, and on a new line where there is no room left. */
function legendEntries(names: readonly string[]): { markup: string; lines: number } {
  let [x, row] = [PLOT.left as number, 0];
  const markup = names.map((name, series) => {
    const width = 40 + name.length * LETTER;
    if (x > PLOT.left && x + width > PLOT.right) [x, row] = [PLOT.left, row + 1];
    const y = PLOT.bottom + AXIS_SPACE + row * LEGEND_LINE;
    const swatch = element('rect', { x, y: y - 7, width: 20, height: 4, rx: 2, fill: colourOf(series) });
    const label = text(name, { class: 'ink', x: x + 26, y });
    x += width;
    return swatch + label;
  });
  return { markup: markup.join('\n'), lines: names.length === 0 ? 0 : row + 1 };
}
