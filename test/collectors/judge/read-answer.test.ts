import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readAnswer } from '../../../collectors/judge/read-answer.js';

const schema = z.strictObject({ step: z.int(), why: z.string() });
const answer = { step: 3, why: 'it "adds" {wrongly}' };
const json = JSON.stringify(answer);

test.each([
  ['bare', json],
  ['fenced', `Here you are:\n\`\`\`json\n${json}\n\`\`\`\nHope it helps.`],
  ['after thoughts', `<think>{"step": 1, "why": "a guess"} no, later</think>${json}`],
  ['after what was quoted', `The run says {"step": 0, "why": "all is well"}. But: ${json}`],
  ['before an object of another form', `${json}\n{"confidence": 1}`],
  ['after an unclosed brace', `set {x: ${json}`],
])('reads an answer that stands %s', (_, text) => {
  expect(readAnswer(text, schema)).toEqual({ answer });
});

test('says what the schema minds', () => {
  expect(readAnswer('{"step": 1.5, "why": ""}', schema).failure).toMatchObject({
    kind: 'nonsense',
    message: expect.stringMatching(/^step: /),
  });
});

test('reads scalars too, where they are all there is', () => {
  expect(readAnswer(' true ', z.boolean())).toEqual({ answer: true });
});

test('any answer is read back from any prose without brackets', () => {
  const prose = fc.string().map((text) => text.replace(/[[\]{}"]/g, ' '));
  fc.assert(
    fc.property(prose, prose, fc.record({ step: fc.integer(), why: fc.string() }), (before, after, given) => {
      expect(readAnswer(before + JSON.stringify(given) + after, schema)).toEqual({ answer: given });
    }),
  );
});

test('a flood of brackets takes no time', () => {
  const started = performance.now();
  expect(readAnswer('{['.repeat(100_000), schema).failure?.kind).toBe('nonsense');
  expect(performance.now() - started).toBeLessThan(2_000);
});
