import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Numbers } from '../../../cli/report/numbers.js';

function numbersOf(values: readonly number[]): Numbers {
  const numbers = new Numbers();
  for (const value of values) numbers.add(value);
  return numbers;
}

describe('numbers', () => {
  it('quantiles are values that were added: at least that share is no greater, fewer of all smaller ones are', () => {
    const values = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(values, fc.float({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const quantile = numbersOf(all).quantile(share) as number;
        const upTo = all.filter((value) => value <= quantile).length;
        const below = all.filter((value) => value < quantile).length;
        expect(all).toContain(quantile);
        expect(upTo).toBeGreaterThanOrEqual(share * all.length);
        expect(below === 0 || below < share * all.length).toBe(true);
      }),
    );
  });

  it('a histogram counts each once, at its bin or at the end that it lies beyond', () => {
    expect(numbersOf([-1, 0, 0.5, 1, 1.5, 2, 3, 9]).histogram([0, 1, 2, 3])).toEqual([3, 2, 3]);
    expect(numbersOf([]).histogram([0, 1])).toEqual([0]);
    expect(numbersOf([]).quantile(0.5)).toBeNull();
  });

  it('can be read between additions', () => {
    const numbers = numbersOf([3, 1]);
    expect(numbers.quantile(0.5)).toBe(1);
    numbers.add(0);
    expect([...numbers.sorted()]).toEqual([0, 1, 3]);
    expect(numbers.sum).toBe(4);
  });
});
