import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK, BlockCache } from '../../../../bench/measured/cost/block-cache.js';

const numbers = (count: number, from = 0) => Int32Array.from({ length: count }, (_, at) => from + at);

describe('BlockCache', () => {
  it('reuses full blocks that were computed before, and always computes the last token', () => {
    const cache = new BlockCache();
    expect(cache.prefill(numbers(40))).toBe(40);
    expect(cache.prefill(numbers(40))).toBe(8);
    expect(cache.prefill(numbers(48))).toBe(16);
    expect(cache.prefill(numbers(48))).toBe(16); // all three blocks are there, but not the last token's logits
    expect(cache.prefill(numbers(49))).toBe(1);
    expect(cache.prefill(numbers(10))).toBe(10);
  });

  it('reuses no block after one that differs', () => {
    const cache = new BlockCache();
    cache.prefill(numbers(64));
    const changed = numbers(64);
    changed[20] = -1;
    expect(cache.prefill(changed)).toBe(48);
    expect(cache.prefill(numbers(48, 16))).toBe(48);
  });

  it('agrees with a comparison of every prompt with every earlier one', () => {
    const prompt = fc.array(fc.nat(1), { maxLength: 70 });
    fc.assert(
      fc.property(fc.array(prompt, { maxLength: 8 }), (prompts) => {
        const cache = new BlockCache();
        for (const [at, tokens] of prompts.entries()) {
          const shared = Math.max(
            0,
            ...prompts.slice(0, at).map((earlier) => {
              const differs = tokens.findIndex((token, place) => earlier[place] !== token);
              return differs === -1 ? tokens.length : differs;
            }),
          );
          const reused = Math.min(Math.floor(shared / BLOCK), Math.floor((tokens.length - 1) / BLOCK));
          expect(cache.prefill(Int32Array.from(tokens))).toBe(tokens.length - Math.max(0, reused) * BLOCK);
        }
      }),
      { numRuns: 500 },
    );
  });
});
