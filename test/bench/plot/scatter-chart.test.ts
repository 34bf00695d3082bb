import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ScatterChart, scatterChart } from '../../../bench/plot/scatter-chart.js';

const chart = (changes: Partial<ScatterChart> = {}): ScatterChart => ({
  title: 'What may be deployed',
  x: { label: 'false-alarm rate, %', scale: 'linear' },
  y: { label: 'Step-Acc, %', scale: 'linear' },
  extent: { x: [0, 100], y: [0, 100] },
  region: { name: 'deployable', x: [0, 20], y: [50, 100] },
  series: [
    { name: 'here', points: [{ name: 'signals', x: 1.2, y: 40.5, up: [33, 48] }] },
    { name: 'published', isHollow: true, points: [{ name: 'a 7B', x: 2.4, y: 59.5 }] },
  ],
  ...changes,
});

const numbers = (svg: string, tag: string, attribute: string) =>
  [...svg.matchAll(new RegExp(`<${tag} [^>]*?\\b${attribute}="([\\d.-]+)"`, 'g'))].map(([, text]) =>
    Number(text),
  );
const names = (svg: string) => [...svg.matchAll(/font-size="11">([^<]*)</g)].map(([, text]) => text);

describe('scatterChart', () => {
  test('puts higher shares higher, and names every point and the region', () => {
    const svg = scatterChart(chart());
    const [signals, published] = numbers(svg, 'circle', 'cy') as [number, number];
    expect(published).toBeLessThan(signals);
    expect(names(svg)).toEqual(['deployable', 'signals', 'a 7B']);
  });

  test('a point lies in the region where its numbers do', () => {
    const svg = scatterChart(chart());
    const [, cx] = numbers(svg, 'circle', 'cx') as [number, number];
    const [, cy] = numbers(svg, 'circle', 'cy') as [number, number];
    const region = /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#009e73"/.exec(
      svg,
    );
    const [x, y, width, height] = (region ?? []).slice(1).map(Number) as [number, number, number, number];
    expect(cx > x && cx < x + width && cy > y && cy < y + height).toBe(true);
  });

  test('what was read and not measured is hollow', () => {
    const fills = [...scatterChart(chart()).matchAll(/<circle[^>]* fill="([^"]+)"/g)].map(([, fill]) => fill);
    expect(fills).toEqual(['#0072b2', 'none']);
  });

  test('names do not lie on one another; one without room is told on pointing', () => {
    const crowd = Array.from({ length: 40 }, (_, at) => ({ name: `auditor number ${at}`, x: 50, y: 50 }));
    const svg = scatterChart(chart({ region: undefined, series: [{ name: 'all', points: crowd }] }));
    expect(names(svg).length).toBeLessThan(10);
    expect(svg.match(/<title>auditor number \d+: 50, 50<\/title>/g)).toHaveLength(40);
  });

  test('keeps names within the picture wherever points lie', () => {
    const share = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(share, share), { maxLength: 30 }), (places) => {
        const points = places.map(([x, y], at) => ({ name: `some auditor ${at}`, x, y }));
        const svg = scatterChart(chart({ region: undefined, series: [{ name: 'all', points }] }));
        for (const [, x, text] of svg.matchAll(
          /<text class="ink" x="([\d.-]+)"[^>]*font-size="11">([^<]*)</g,
        )) {
          expect(Number(x)).toBeGreaterThanOrEqual(84);
          expect(Number(x) + (text as string).length * 6).toBeLessThanOrEqual(700.5);
        }
      }),
    );
  });

  test('a hostile name is text', () => {
    const svg = scatterChart(chart({ series: [{ name: 'x', points: [{ name: '<script>', x: 1, y: 1 }] }] }));
    expect(svg).not.toContain('<script');
  });
});
