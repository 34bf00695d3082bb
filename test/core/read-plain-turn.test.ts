import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlainTurn } from '../../core/read-plain-turn.js';
import { turnInputSchema } from '../../core/turn.js';

const oneOf = (...odd: unknown[]) => fc.constantFrom<unknown>(undefined, 'word', ...odd);
const text = oneOf('', 'word', 'word', 7, null);
const amount = oneOf(0, 3, 3, 2.5, 3, -1, Number.NaN, Number.POSITIVE_INFINITY);
const segment = fc.record(
  { step: oneOf(0, 1, 2, 1.5, 2 ** 53), lane: oneOf('a', 'b', 1) },
  { requiredKeys: [] },
);

const inputs = fc.record(
  {
    id: text,
    agent: fc.constantFrom<unknown>('solver', 'solver', 'solver', '', 1),
    kind: fc.constantFrom<unknown>('user', 'agent', 'tool', 'handoff', 'state', 'other', 1),
    content: fc.constantFrom<unknown>('', 'said', 'said', 1),
    thought: text,
    toolCallId: text,
    toolName: text,
    isError: oneOf(true, false, true),
    handoffTo: text,
    path: fc.oneof(
      fc.array(segment, { maxLength: 2 }),
      fc.constantFrom<unknown>(undefined, [null], {}, [[]]),
    ),
    given: oneOf(true, false, true),
    at: amount,
    durationMs: amount,
    usage: fc.oneof(
      fc.record(
        { inputTokens: amount, outputTokens: amount, cachedInputTokens: amount },
        { requiredKeys: [] },
      ),
      fc.constantFrom<unknown>(undefined, null, 1, []),
    ),
    unknown: text,
  },
  { requiredKeys: ['agent', 'kind', 'content'] },
);

test('a turn without tool calls is read as the schema reads it, and nothing else is', () => {
  let [taken, left] = [0, 0];
  fc.assert(
    fc.property(inputs, (input) => {
      const read = readPlainTurn(input);
      const { data } = turnInputSchema.safeParse(input);
      expect(read).toEqual(data);
      if (data) taken++;
      else left++;
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(taken, left)).toBeGreaterThan(20);
});

test.each([
  ['nothing', undefined],
  ['a list', []],
  ['a turn with calls', { agent: 'a', kind: 'agent', content: '', toolCalls: [] }],
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
