import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import { ParquetFile } from '../../../collectors/importers/parquet-file.js';
import type { Sample } from '../../../collectors/sample.js';
import { loadMathEquality, type MathEquality } from '../../../collectors/scorers/math/math-equality.js';
import { mathScorer } from '../../../collectors/scorers/math-scorer.js';
import { sampleOf } from '../stages/samples.js';
import { dataFolder } from '../support/data-folder.js';

const never = new AbortController().signal;

let equality: MathEquality;
beforeAll(async () => {
  equality = await loadMathEquality();
});
const areEqual = (one: string, other: string) => [
  equality.areEqual(one, other),
  equality.areEqual(other, one),
];

describe('equal, either way round', () => {
  test.each([
    ['\\frac12', '0.5'],
    ['2\\frac{1}{3}', '7/3'],
    ['$\\frac{3}{4}$', '0.75'],
    ['\\boxed{3}', '3.0'],
    ['1.5 \\times 10^3', '1500'],
    ['\\sqrt2', '2^{1/2}'],
    ['\\frac{\\sqrt{3}}{3}', '1/sqrt(3)'],
    ['3\\sqrt{13}', '3*sqrt(13)'],
    ['\\log_2 8', '3'],
    ['(a+5)(b+2)', 'ab+2a+5b+10'],
    ['x^5 - 1', 'x**5-1'],
    ['\\sqrt{x^2}', '|x|'],
    ['6+9i', '6 + 9*I'],
    ['e^{i\\pi}', '-1'],
    ['90^\\circ', '90 degrees'],
    ['10\\%', '0.1'],
    ['10\\%', '10'],
    ['12\\text{ cm}', '12'],
    ['12\\text{ cm}^2', '12'],
    ['\\$1,234.50', '1234.5'],
    ['x=5', '5'],
    ['f(x)=2x', '2x'],
    ['2x+3y=6', 'y = 2 - \\frac{2}{3}x'],
    ['\\left( 3, \\frac{\\pi}{2} \\right)', '(3, pi/2)'],
    ['3, 5, 7', '[7, 5, 3]'],
    ['\\{1,2\\}', '2, 1'],
    ['1 \\pm \\sqrt{2}', '1+sqrt(2), 1-sqrt(2)'],
    ['[1,2)', '1 \\le x < 2'],
    ['x \\in [-2,7]', '[-2, 7]'],
    ['(5,\\infty)', '(5, oo)'],
    ['(0,9) \\cup (9,36)', '(9,36)∪(0,9)'],
    ['(-\\infty, 2) \\cup (3, \\infty)', '((-oo < x) & (x < 2)) | ((3 < x) & (x < oo))'],
    ['\\begin{pmatrix} -2 \\\\ -14 \\end{pmatrix}', 'Matrix([[-2], [-14]])'],
    ['\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', 'Matrix([[1, 2], [3, 4]])'],
    ['\\text{(C)}', 'C'],
    ['\\text{Monday}', 'monday'],
    ['52_8', '52_{8}'],
  ])('%s and %s', (one, other) => {
    expect(areEqual(one, other)).toEqual([true, true]);
  });
});

describe('not equal, either way round', () => {
  test.each([
    ['\\frac13', '0.333'],
    ['3', '-3'],
    ['x', 'y'],
    ['x+1', 'x+2'],
    ['2k', '2*i'],
    ['\\sqrt{x^2}', 'x'],
    ['\\text{east}', 'seat'],
    ['even', 'neve'],
    ['(1,2)', '(2,1)'],
    ['[1,2)', '(1,2)'],
    ['[1,2]', '(1,2)'],
    ['1,2', '1'],
    ['\\{1,1,2\\}', '1,2,2'],
    ['2x+3y=6', '2x+3y=7'],
    ['12 m', '12 cm'],
    ['12 cm', '12 in'],
    ['10\\%', '0.01'],
    ['52_8', '52'],
    ['', '1'],
    ['((((', '1'],
    ['\\frac{', '1'],
  ])('%s and %s', (one, other) => {
    expect(areEqual(one, other)).toEqual([false, false]);
  });
});

test('an answer cannot make the scorer compute for long', () => {
  const started = performance.now();
  for (const hostile of [
    '9^{9^{9^{9}}}',
    '100000!',
    '(10^9)!',
    '\\binom{10^9}{10^5}',
    '\\sum_{i=1}^{10^9} i',
    '\\int_0^1 x^x dx',
    'x^{1000000000}',
    `${'('.repeat(900)}1`,
    `${'{'.repeat(100_000)}1`,
    '1,'.repeat(50_000),
    `1${'+1'.repeat(100_000)}`,
  ])
    expect(equality.areEqual('1', hostile), hostile.slice(0, 30)).toBe(false);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('what one answer teaches of a symbol does not bear on the next', () => {
  const before = areEqual('f(x)+1', 'f*x+1');
  areEqual('f = 3', 'x := f(2)');
  expect(areEqual('2f+2', '2(f+1)')).toEqual([true, true]);
  expect(areEqual('f(x)+1', 'f*x+1')).toEqual(before);
});

describe('the scorer', () => {
  const scorer = mathScorer();

  test('compares the final answer with the reference', async () => {
    expect(await scorer.score(sampleOf({ reference: '\\frac{8}{2}' }), never)).toEqual({
      value: 1,
      reason: 'the answer equals the reference',
      evidence: { reference: '\\frac{8}{2}', answer: '4' },
    });
    expect(await scorer.score(sampleOf({ reference: '5' }), never)).toMatchObject({ value: 0 });
    const silent = sampleOf({ reference: '5', turns: sampleOf().turns.slice(0, 1) });
    expect(await scorer.score(silent, never)).toEqual({ value: 0, reason: 'the run gives no answer' });
  });

  test.each([
    ['another domain', sampleOf({ reference: '4', domain: 'coding' })],
    ['no domain', sampleOf({ reference: '4', domain: undefined })],
    ['no reference', sampleOf()],
  ])('leaves samples with %s alone', async (_, sample) => {
    expect(await scorer.score(sample, never)).toBeUndefined();
  });
});

const folder = dataFolder('aftraj');

describe.skipIf(!folder)('AFTraj', () => {
  /** How many runs of a file end with their gold answer; and who they are, where that is odd. */
  async function scoredRows(kind: 'safe' | 'unsafe') {
    const path = join(folder ?? '', `aftraj_${kind}.parquet`);
    const gold = new Map<string, string>();
    for await (const { values } of (await ParquetFile.open(path)).rows(['conv_id', 'gold_answer']))
      gold.set(String(values['conv_id']), String(values['gold_answer']));
    const scorer = mathScorer();
    const counts: Record<0 | 1, string[]> = { 0: [], 1: [] };
    for await (const { runId: id, task, tools, turns, domain, source } of readAfTraj(path)) {
      if (domain !== 'math') continue;
      const provenance = { format: 'aftraj', source };
      const sample: Sample = { id, task, tools, turns, domain, provenance, reference: gold.get(id) };
      const score = await scorer.score(sample, never);
      if (score?.failure === undefined && score) counts[score.value].push(id);
    }
    return counts;
  }

  test('all safe runs of mathematics end with their gold answer', async () => {
    const { 0: wrong, 1: right } = await scoredRows('safe');
    expect([wrong, right.length]).toEqual([[], 396]);
  });

  test('of the unsafe ones, two: their answers are right but for a unit that nobody asked for', async () => {
    const { 0: wrong, 1: right } = await scoredRows('unsafe');
    expect([wrong.length, right]).toEqual([
      395,
      ['math_0257_unsafe_diagnosed', 'math_0467_unsafe_diagnosed'],
    ]);
  });
});
