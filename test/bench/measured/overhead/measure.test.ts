import { expect, test, vi } from 'vitest';
import { cpuPerStep, measure, median, ratio } from '../../../../bench/measured/overhead/measure.js';

test.each([
  [[7], 7],
  [[10, 9, 100], 10], // as text, 10 comes before 9
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('there is no median of nothing', () => {
  expect(median([])).toBeNaN();
});

test('a ratio is the median of the rounds’ ratios, not the ratio of the medians', () => {
  // 10 / 10, 30 / 20 and 40 / 40; the medians would give 30 / 20.
  expect(ratio([10, 30, 40], [10, 20, 40])).toBe(1);
  expect(ratio([2, 2], [3, 3])).toBe(0.667);
});

test('blocks take turns, forwards and backwards, and a warm-up is not counted', async () => {
  const order: string[] = [];
  const block = (name: string) => async () => order.push(name);
  const costs = await measure({ a: block('a'), b: block('b') }, { warmUp: 1, rounds: 2 });
  expect(order.join('')).toBe('baabba');
  expect(costs).toEqual({ a: [3, 6], b: [4, 5] });
});

test('CPU per step counts user and system time', async () => {
  const usage = vi.spyOn(process, 'cpuUsage').mockReturnValueOnce({ user: 1_000, system: 500 });
  usage.mockReturnValueOnce({ user: 300, system: 100 });
  expect(await cpuPerStep(4, async () => {})).toBe(100);
  usage.mockRestore();
});
