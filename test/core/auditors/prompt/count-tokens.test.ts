import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countTokens, encodeTokens } from '../../../../core/auditors/prompt/count-tokens.js';
import { CONTROL_TOKENS, hostileText } from '../../../support/hostile-runs.js';

const asText = { disallowedSpecial: new Set<string>() };

describe('countTokens', () => {
  it('is what the tokenizer says, and the length of encodeTokens', () => {
    const ordinary = fc.lorem({ maxCount: 200, mode: 'sentences' });
    fc.assert(
      fc.property(fc.oneof(ordinary, fc.string({ unit: 'grapheme', maxLength: 100 })), (text) => {
        expect(encodeTokens(text)).toEqual(encode(text, asText));
        expect(countTokens(text)).toBe(encodeTokens(text).length);
      }),
    );
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(countTokens(text)).toBe(encodeTokens(text).length);
      }),
    );
  });

  it.each([...CONTROL_TOKENS, '<|endofprompt|>', '<|fim_prefix|>'])('takes %s for mere text', (token) => {
    expect(countTokens(token)).toBeGreaterThan(1);
  });

  it.each([
    ['Chinese', '漢字'.repeat(50_000)],
    ['letters', 'ab'.repeat(100_000)],
    ['rulers', '=-'.repeat(100_000)],
    ['spaces', ' \t'.repeat(100_000)],
    ['emoji', '👩‍👩‍👧'.repeat(20_000)],
  ])('takes time linear in an unbroken run of %s', (_, run) => {
    const started = performance.now();
    expect(countTokens(run)).toBeGreaterThan(0);
    // Quadratic, it would take from half a minute to hours.
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});

it('importing core does not load the tokenizer; making a layout does, unless it is given one', () => {
  const core = path.resolve(import.meta.dirname, '../../../../core/index.ts');
  const script = `
    const { appendOnlyLayout } = await import(${JSON.stringify(core)});
    const { createRequire } = await import('node:module');
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('gpt-tokenizer'));
    const seen = [loaded()];
    appendOnlyLayout({ countTokens: (text) => text.length / 4 });
    seen.push(loaded());
    appendOnlyLayout();
    seen.push(loaded());
    console.log(JSON.stringify(seen));`;
  const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual([false, false, true]);
});
