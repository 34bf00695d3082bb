import { describe, expect, it } from 'vitest';
import { type BarChart, barChart } from '../../../bench/plot/bar-chart.js';

const chart = (changes: Partial<BarChart> = {}): BarChart => ({
  title: 'Scores',
  x: { label: 'score', scale: 'linear' },
  y: { label: 'verdicts', scale: 'linear' },
  edges: [0, 1, 2, 3],
  series: [
    { name: 'continue', values: [4, 0, 2] },
    { name: 'alarm', values: [0, 0, 6] },
  ],
  ...changes,
});

const bars = (svg: string) =>
  [...svg.matchAll(/<rect x="([\d.]+)" width="([\d.]+)" y="([\d.]+)" height="([\d.]+)" fill="(#\w+)">/g)].map(
    ([, x, width, y, height, fill]) => ({
      left: Number(x),
      right: Number(x) + Number(width),
      top: Number(y),
      bottom: Number(y) + Number(height),
      height: Number(height),
      fill,
    }),
  );

describe('barChart', () => {
  it('draws a bar for each number but none for nothing, heights in proportion, series stacked', () => {
    const [first, below, above, ...others] = bars(barChart(chart()));
    expect(others).toEqual([]);
    expect(first?.height).toBeCloseTo(2 * (below?.height ?? 0), 1);
    expect(above?.height).toBeCloseTo(3 * (below?.height ?? 0), 1);
    expect(above?.bottom).toBeCloseTo(below?.top ?? 0, 1);
    expect(above).toMatchObject({ left: below?.left, right: below?.right });
    expect(first?.bottom).toBeCloseTo(below?.bottom ?? 0, 1);
    expect(first?.fill).toBe(below?.fill);
    expect(above?.fill).not.toBe(below?.fill);
  });

  it('gives bins of equal ratio equal width on a log axis, side by side', () => {
    const series = [{ name: 'audits', values: [1, 1, 1] }];
    const drawn = bars(
      barChart(chart({ x: { label: 'ms', scale: 'log' }, edges: [1, 10, 100, 1000], series })),
    );
    const widths = drawn.map(({ left, right }) => right - left);
    expect(widths[1]).toBeCloseTo(widths[0] as number, 1);
    expect(widths[2]).toBeCloseTo(widths[0] as number, 1);
    expect(drawn[1]?.left).toBeGreaterThan(drawn[0]?.right as number);
    expect((drawn[1]?.left as number) - (drawn[0]?.right as number)).toBeLessThan(2);
  });

  it('names the series where there are several, and tells each bar in words', () => {
    const svg = barChart(chart());
    expect(svg).toContain('<title>alarm: 6 from 2 to 3</title>');
    const texts = (of: string) => [...of.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    expect(texts(svg)).toEqual(expect.arrayContaining(['continue', 'alarm']));
    expect(texts(barChart(chart({ series: [{ name: 'alone', values: [1, 2, 3] }] })))).not.toContain('alone');
  });

  it('refuses what its axes cannot show', () => {
    expect(() => barChart(chart({ x: { label: 'ms', scale: 'log' } }))).toThrow(RangeError);
    expect(() => barChart(chart({ series: [{ name: 'odd', values: [Number.NaN, 1, 1] }] }))).toThrow(
      RangeError,
    );
  });
});
