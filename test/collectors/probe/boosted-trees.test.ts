import { describe, expect, test } from 'vitest';
import { binned } from '../../../collectors/probe/binned-column.js';
import { BoostedTrees, DEFAULT_TREES } from '../../../collectors/probe/boosted-trees.js';

const ONE_TREE = {
  ...DEFAULT_TREES,
  trees: 1,
  depth: 1,
  rowShare: 1.1,
  columnShare: 1.1,
  learningRate: 1,
  penalty: 1,
  leafWeight: 0,
};

describe('bins', () => {
  test('few values are kept apart', () => {
    expect(binned('x', Float32Array.of(3, 1, 2, 1))).toEqual({
      name: 'x',
      edges: [1, 2],
      bins: Uint8Array.of(2, 0, 1, 0),
    });
  });

  test('many are cut into 64 bins of about equal size', () => {
    const { bins, edges } = binned(
      'x',
      Float32Array.from({ length: 6400 }, (_, at) => at),
    );
    expect(edges).toHaveLength(63);
    const sizes = Array.from({ length: 64 }, (_, bin) => bins.filter((one) => one === bin).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(101);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(99);
  });
});

test('one split, worked out by hand', () => {
  const columns = [
    binned('noise', Float32Array.of(1, 2, 1, 2)),
    binned('tells', Float32Array.of(5, 5, 9, 9)),
  ];
  const labels = Uint8Array.of(0, 0, 1, 1);
  const trees = new BoostedTrees(columns, labels, Uint32Array.of(0, 1, 2, 3), ONE_TREE);
  // The prior is (2 + .5)/(4 + 1) = 1/2, so each gradient is ±1/2 and each curvature 1/4. The split leaves G = 1 and
  // H = 1/2 on either side: answers -+1/(1/2 + 1), gain 2 · 1²/(1/2 + 1).
  expect(trees.score(columns, 0)).toBeCloseTo(-2 / 3, 12);
  expect(trees.score(columns, 3)).toBeCloseTo(2 / 3, 12);
  expect(trees.gains[0]).toBe(0);
  expect(trees.gains[1]).toBeCloseTo(4 / 3, 12);
});

test('rows that it was not given do not count', () => {
  const columns = [binned('x', Float32Array.of(0, 0, 1, 1, 1, 1))];
  const labels = Uint8Array.of(0, 0, 1, 1, 0, 0);
  const trees = new BoostedTrees(columns, labels, Uint32Array.of(0, 1, 2, 3), ONE_TREE);
  expect(trees.score(columns, 4)).toBeCloseTo(2 / 3, 12);
});

test('two columns that tell only together', () => {
  const at = Array.from({ length: 400 }, (_, row) => row);
  const columns = [
    binned(
      'one',
      Float32Array.from(at, (row) => row & 1),
    ),
    binned(
      'other',
      Float32Array.from(at, (row) => (row >> 1) & 1),
    ),
    binned(
      'noise',
      Float32Array.from(at, (row) => (row * 7919) % 13),
    ),
  ];
  const labels = Uint8Array.from(at, (row) => (row ^ (row >> 1)) & 1);
  const trees = new BoostedTrees(columns, labels, Uint32Array.from(at));
  const wrong = at.filter((row) => trees.score(columns, row) > 0 !== (labels[row] === 1));
  expect(wrong).toEqual([]);
});

test('the same seed grows the same trees', () => {
  const columns = [
    binned(
      'x',
      Float32Array.from({ length: 300 }, (_, at) => (at * 37) % 101),
    ),
  ];
  const labels = Uint8Array.from({ length: 300 }, (_, at) => ((at * 37) % 101) & 1);
  const rows = Uint32Array.from({ length: 300 }, (_, at) => at);
  const scores = (seed: number) => {
    const trees = new BoostedTrees(columns, labels, rows, { ...DEFAULT_TREES, seed });
    return [0, 1, 2].map((row) => trees.score(columns, row));
  };
  expect(scores(1)).toEqual(scores(1));
  expect(scores(2)).not.toEqual(scores(1));
});
