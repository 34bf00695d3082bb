import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineChart, lineChart } from '../../../bench/plot/line-chart.js';

const chart = (changes: Partial<LineChart> = {}): LineChart => ({
  title: 'Prefilled tokens',
  x: { label: 'turns', scale: 'log' },
  y: { label: 'tokens', scale: 'log' },
  series: [
    { name: 'published', points: [50, 100, 200, 400, 800].map((turns) => [turns, turns ** 2] as const) },
    { name: 'append-only', points: [50, 100, 200, 400, 800].map((turns) => [turns, turns * 40] as const) },
  ],
  ...changes,
});

const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
const dots = (svg: string) =>
  [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);

/** Enough of XML to know that a viewer will take it: tags nest, and no text or attribute holds a bare `<` or `&`. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  const rest = svg.replace(/<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)>/g, (_, closing, name) => {
    if (!closing) open.push(name);
    else if (open.pop() !== name) open.push('mismatch');
    return '';
  });
  return open.length === 0 && !/[<>]|&(?!(amp|lt|gt|quot|#39);)/.test(rest);
}

describe('lineChart', () => {
  it('is one self-contained document: title, axes, ticks and legend', () => {
    const svg = lineChart(chart());
    expect(isWellFormed(svg)).toBe(true);
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|@import|<script/);
    expect(texts(svg)).toEqual(
      expect.arrayContaining([
        'Prefilled tokens',
        'turns',
        'tokens',
        'published',
        'append-only',
        '50',
        '500',
        '100K',
      ]),
    );
  });

  it('puts a power law on a straight line under log scales, upwards and to the right', () => {
    const steps = dots(lineChart(chart())).slice(0, 5);
    for (const [at, [x, y]] of steps.entries()) {
      const [before, after] = [steps[at - 1], steps[at + 1]];
      if (!before || !after) continue;
      expect((x as number) - (before[0] as number)).toBeCloseTo((after[0] as number) - (x as number), 0);
      expect((y as number) - (before[1] as number)).toBeCloseTo((after[1] as number) - (y as number), 0);
      expect(y).toBeLessThan(before[1] as number);
    }
  });

  it('keeps every mark inside the picture, on either scale', () => {
    const scale = fc.constantFrom('linear' as const, 'log' as const);
    const value = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
    const points = fc.array(fc.tuple(value, value), { maxLength: 9 });
    fc.assert(
      fc.property(scale, scale, fc.array(points, { maxLength: 8 }), (xScale, yScale, lines) => {
        const series = lines.map((points, at) => ({ name: `series ${at}`, points }));
        const svg = lineChart(
          chart({ x: { label: 'x', scale: xScale }, y: { label: 'y', scale: yScale }, series }),
        );
        const [, width, height] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number) as [
          number,
          number,
          number,
        ];
        expect(dots(svg).length).toBe(lines.flat().length);
        for (const [x, y] of dots(svg)) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(height);
        }
        expect(svg).not.toContain('NaN');
      }),
    );
  });

  it('lets no name break out of the markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (hostile) => {
        const name = `"'</text><script>alert(1)</script>&${hostile}\u0000\ud800`;
        const svg = lineChart(
          chart({ title: name, x: { label: name, scale: 'log' }, series: [{ name, points: [[1, 1]] }] }),
        );
        expect(isWellFormed(svg)).toBe(true);
        expect(svg).not.toContain('<script');
        expect(svg.isWellFormed()).toBe(true);
      }),
    );
  });

  it('rejects what an axis cannot show', () => {
    const broken = (points: [number, number][]) => () =>
      lineChart(chart({ series: [{ name: 'a', points }] }));
    expect(broken([[0, 1]])).toThrow(new RangeError('the log axis "turns" cannot show 0'));
    expect(broken([[1, Number.NaN]])).toThrow(RangeError);
    expect(broken([[1, Number.POSITIVE_INFINITY]])).toThrow(RangeError);
  });
});
