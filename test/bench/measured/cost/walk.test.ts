import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatedRun } from '../../../../bench/measured/cost/generated-run.js';
import { growthExponent } from '../../../../bench/measured/cost/growth-exponent.js';
import { LineTokens, wholeTokens } from '../../../../bench/measured/cost/line-tokens.js';
import { walk } from '../../../../bench/measured/cost/walk.js';
import { appendOnlyLayout, everyTurn, portableSchedule, publishedLayout } from '../../../../core/index.js';
import { hostileRun, hostileText, requestsOf } from '../../../support/hostile-runs.js';

const layouts = [appendOnlyLayout({ contextTokens: 100_000 }), publishedLayout()] as const;
const schedules = { every: everyTurn(), portable: portableSchedule() };

describe('tokens put together from lines', () => {
  it.each(layouts)('are those of the whole prompt, $name', (layout) => {
    const lines = new LineTokens();
    fc.assert(
      fc.property(hostileRun, (run) => {
        for (const request of requestsOf(run)) {
          const prompt = layout.prompt(request);
          const tokens = lines.of(prompt);
          expect(tokens).toEqual(wholeTokens(prompt));
          expect(tokens.length).toBe(prompt.tokens);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('are those of the whole whatever stands at the ends of lines', () => {
    const ends = fc.constantFrom('\n', '\r\n', '\n\n', ' \n', '\n ', '/\n/', '.\n', '1\n2', 'a\nb', '\t\n');
    fc.assert(
      fc.property(fc.array(fc.oneof(ends, hostileText), { maxLength: 12 }), (parts) => {
        const prompt = { system: '', body: parts.join(''), tail: '', tokens: 0 };
        expect(new LineTokens().of(prompt)).toEqual(wholeTokens(prompt));
      }),
    );
  });
});

describe('a walk', () => {
  const run = generatedRun(60);

  it('asks once a turn, or where the schedule says and at the end', () => {
    const { every, portable } = walk([run], layouts[0], schedules);
    expect(every.calls).toBe(60);
    expect(portable.calls).toBe(30);
    expect(every.breaks).toBe(0);
  });

  it('computes an append-only prompt once, and a published one nearly whole each time', () => {
    const [appendOnly, published] = layouts.map((layout) => walk([run], layout, schedules).every);
    expect(appendOnly?.prefilledTokens).toBeLessThan(1.15 * (appendOnly?.longest ?? 0));
    expect(published?.prefilledTokens).toBeGreaterThan(0.8 * (published?.promptTokens ?? 0));
  });

  it('shares its cache among runs: the same run again costs next to nothing', () => {
    const [once, twice] = [[run], [run, run]].map((runs) => walk(runs, layouts[0], schedules).every);
    expect((twice?.prefilledTokens ?? 0) - (once?.prefilledTokens ?? 0)).toBe(once?.repeatedTokens);
  });

  it('counts the calls from the labelled step on', () => {
    const labelled = { ...run, label: { kind: 'unsafe', step: 50, agent: 'buyer' } as const };
    expect(walk([labelled], layouts[0], schedules).every.callsFromLabel).toBe(10);
    expect(walk([run], layouts[0], schedules).every.callsFromLabel).toBe(0);
  });

  it('tells compactions', () => {
    const tight = appendOnlyLayout({ contextTokens: 6_000 });
    expect(walk([run], tight, schedules).every.breaks).toBeGreaterThan(1);
  });
});

it('generated runs are the same at every call', () => {
  expect(generatedRun(80)).toEqual(generatedRun(80));
  expect(generatedRun(80).turns).toHaveLength(80);
});

it('growthExponent is the power of a power law', () => {
  expect(growthExponent([1, 10, 100].map((x) => [x, 3 * x ** 1.5]))).toBeCloseTo(1.5, 10);
});
