import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutControlTokens } from '../../../../core/auditors/prompt/control-tokens.js';
import { CONTROL_TOKENS, hostileText } from '../../../support/hostile-runs.js';

it.each(CONTROL_TOKENS)('breaks %s, and JSON reads it back', (token) => {
  const broken = withoutControlTokens(JSON.stringify([token, `a${token}b${token}`]));
  expect(broken).not.toContain(token);
  expect(JSON.parse(broken)).toEqual([token, `a${token}b${token}`]);
});

it('changes nothing that JSON says, and needs no second pass', () => {
  fc.assert(
    fc.property(fc.array(hostileText), fc.jsonValue(), (texts, value) => {
      const once = withoutControlTokens(JSON.stringify([texts, value]));
      expect(JSON.parse(once)).toEqual(JSON.parse(JSON.stringify([texts, value])));
      expect(withoutControlTokens(once)).toBe(once);
    }),
  );
});

it.each([
  'a < b',
  'x <- 3',
  '<div class="a">',
  'if (a<b) return',
  'list[0]',
  '[1, 2]',
  '[Error] failed',
  'a | b',
])('leaves %s as it is', (text) => {
  expect(withoutControlTokens(text)).toBe(text);
});
