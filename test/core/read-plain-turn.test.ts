import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlainTurn } from '../../core/read-plain-turn.js';
import { turnInputSchema } from '../../core/turn.js';

/** What fits, and now and then what does not. */
const mostly = (fit: readonly unknown[], odd: readonly unknown[]) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...fit) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );

const text = mostly(['', 'word', undefined], [7, null]);
const name = mostly(['solver'], ['', 1, undefined]);
const flag = mostly([true, false, undefined], ['true', null]);
const amount = mostly([0, 3, 2.5, undefined], [-1, Number.NaN, Number.POSITIVE_INFINITY, '3', null]);

const segment = fc.record({
  step: mostly([0, 1], [1.5, 2 ** 53, -1, undefined]),
  lane: mostly(['', 'a'], [1, undefined]),
});
const call = fc.record(
  {
    id: mostly(['c', ''], [1]),
    name: mostly(['add', ''], [1]),
    args: mostly([{ a: 1 }, {}, null, 'text', [1]], [undefined]),
    error: text,
  },
  { requiredKeys: ['id', 'name', 'args'] },
);
const usage = fc.record(
  { inputTokens: amount, outputTokens: amount, cachedInputTokens: amount },
  { requiredKeys: [] },
);
const orOdd = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 30, arbitrary }, fc.constantFrom<unknown>(null, 1, {}, [], [null], [[]]));

const inputs = fc.record(
  {
    id: mostly(['x', undefined], ['', 1]),
    agent: name,
    kind: mostly(['user', 'agent', 'tool', 'handoff', 'state'], ['other', 1]),
    content: mostly(['', 'said'], [1, undefined]),
    thought: text,
    toolCalls: orOdd(fc.array(call, { maxLength: 2 })),
    toolCallId: text,
    toolName: text,
    isError: flag,
    handoffTo: text,
    path: orOdd(fc.array(segment, { maxLength: 2 })),
    given: flag,
    at: amount,
    durationMs: amount,
    usage: orOdd(usage),
    unknown: text,
  },
  { requiredKeys: ['agent', 'kind', 'content'] },
);

test('a turn is read as the schema reads it, and nothing else is', () => {
  let [taken, left] = [0, 0];
  fc.assert(
    fc.property(inputs, (input) => {
      const read = readPlainTurn(input);
      const { data } = turnInputSchema.safeParse(input);
      expect(read).toEqual(data);
      if (data) taken++;
      else left++;
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(taken, left)).toBeGreaterThan(500);
});

test.each([
  ['nothing', undefined],
  ['a list', []],
])('%s is left to the schema', (_what, input) => {
  expect(readPlainTurn(input)).toBeUndefined();
});

test('what was read shares nothing with the host', () => {
  const input = {
    agent: 'a',
    kind: 'agent',
    content: '',
    path: [{ step: 1, lane: 'x' }],
    usage: { inputTokens: 1 },
  };
  const read = readPlainTurn(input);
  Object.assign(input.path[0] as object, { step: 9 });
  Object.assign(input.usage, { inputTokens: 9 });
  expect(read).toMatchObject({ path: [{ step: 1 }], usage: { inputTokens: 1 } });
});
