import { describe, expect, test } from 'vitest';
import { groupedBootstrap, percentileInterval } from '../../../collectors/first-alarms/grouped-bootstrap.js';

describe('groupedBootstrap', () => {
  test('draws as many groups as there are, and their sums stay together', () => {
    const resamples = groupedBootstrap(
      [
        { runs: 1, hits: 10 },
        { runs: 2, hits: 20 },
        { runs: 3, hits: 30 },
      ],
      200,
      1,
    );
    expect(resamples).toHaveLength(200);
    for (const { runs, hits } of resamples) {
      expect(hits).toBe(10 * runs);
      expect(runs).toBeGreaterThanOrEqual(3);
      expect(runs).toBeLessThanOrEqual(9);
    }
    // All of 27 draws are possible, and about as likely: 3, 9 and most between them turn up in 200.
    expect(new Set(resamples.map(({ runs }) => runs)).size).toBe(7);
  });

  test('a seed draws the same again, another seed something else', () => {
    const groups = Array.from({ length: 20 }, (_, hits) => ({ hits }));
    expect(groupedBootstrap(groups, 50, 3)).toEqual(groupedBootstrap(groups, 50, 3));
    expect(groupedBootstrap(groups, 50, 3)).not.toEqual(groupedBootstrap(groups, 50, 4));
  });

  test('of nothing there is nothing to draw', () => {
    expect(groupedBootstrap([], 10, 1)).toEqual([]);
    expect(groupedBootstrap([{ hits: 1 }], 0, 1)).toEqual([]);
  });
});

test('the middle 95 % of 0 to 1000', () => {
  const values = Array.from({ length: 1001 }, (_, at) => 1000 - at);
  expect(percentileInterval(values, 0.95)).toEqual({ low: 25, high: 975 });
  expect(percentileInterval([], 0.95)).toBeUndefined();
});
