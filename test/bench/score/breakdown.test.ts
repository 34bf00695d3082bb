import { expect, test } from 'vitest';
import type { Truth } from '../../../bench/bench-run.js';
import { type Dimension, partsBy } from '../../../bench/score/breakdown.js';
import { talliedRun } from '../../../bench/score/tallied-run.js';
import { prediction, unsafe } from '../support/predictions.js';

function partsOf(dimension: Dimension, ...truths: readonly Partial<Truth>[]) {
  const runs = truths.map((truth) => talliedRun(prediction(truth, 'continue')));
  return partsBy(dimension, runs).map(([name, some]) => [name, some.map(({ truth }) => truth.runId).join()]);
}

test('all safe runs stand beside each source', () => {
  const truths = [
    { runId: 's1' },
    { runId: 's2' },
    { runId: 'n', label: unsafe(0, 'Solver', 'natural') },
    { runId: 'i', label: unsafe(0, 'Solver', 'injected') },
  ];
  expect(partsOf('source', ...truths)).toEqual([
    ['injected', 'i,s1,s2'],
    ['natural', 'n,s1,s2'],
  ]);
  expect(partsOf('source', ...truths, { runId: 'u', label: unsafe(0) })).toContainEqual(['none', 'u,s1,s2']);
  expect(partsOf('source', { runId: 's1' }, { runId: 'u', label: unsafe(0) })).toEqual([]);
});

test('a corpus without domains is not parted by them', () => {
  expect(partsOf('domain', { runId: 'a', domain: 'math' }, { runId: 'b' })).toEqual([
    ['math', 'a'],
    ['none', 'b'],
  ]);
  expect(partsOf('domain', { runId: 'a' }, { runId: 'b' })).toEqual([]);
  expect(partsOf('split', { runId: 'a', split: 'test' })).toEqual([['test', 'a']]);
});

test('lengths: every run in one bin, upper ends included, bins in order', () => {
  const ofTurns = [130, 1, 10, 11, 20, 21, 40, 41].map((turns) => ({ runId: String(turns), turns }));
  expect(partsOf('length', ...ofTurns)).toEqual([
    ['1 to 10 turns', '1,10'],
    ['11 to 20 turns', '11,20'],
    ['21 to 40 turns', '21,40'],
    ['over 40 turns', '130,41'],
  ]);
});
