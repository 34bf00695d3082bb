import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toToolCalls } from '../../../collectors/importers/aftraj-action.js';

describe('toToolCalls', () => {
  test('has no call for an empty action', () => {
    expect(toToolCalls('')).toEqual([]);
  });

  test('keeps arguments that are not JSON as text, and says so', () => {
    const action = JSON.stringify([{ name: 'python_interpreter', arguments: 'final_answer(3)' }]);
    expect(toToolCalls(action)).toEqual([
      { id: '', name: 'python_interpreter', args: 'final_answer(3)', error: 'the arguments are not JSON' },
    ]);
  });

  test.each([
    '[ThoughtEvent]',
    "[{'name': 'run_tests'}]",
    'call web_search({"query":"x"})',
    '[1, 2]',
    '{"name":"x"}',
  ])('keeps %s whole', (action) => {
    expect(toToolCalls(action)).toEqual([{ id: '', name: 'action', args: action }]);
  });

  test('keeps arguments nested beyond writing as text', () => {
    const depth = 200_000;
    const args = '['.repeat(depth) + ']'.repeat(depth);
    const [call] = toToolCalls(JSON.stringify([{ name: 'f', arguments: args }]));
    expect(call?.args).toBe(args);
    expect(call?.error).toBeDefined();
  });

  test('gives every call back in order, whatever its arguments are', () => {
    const call = fc.record({ name: fc.string(), args: fc.jsonValue(), id: fc.string() });
    fc.assert(
      fc.property(fc.array(call), (calls) => {
        const action = JSON.stringify(
          calls.map(({ args, ...rest }) => ({ ...rest, arguments: JSON.stringify(args) })),
        );
        expect(toToolCalls(action)).toEqual(
          calls.map((one) => ({ ...one, args: JSON.parse(JSON.stringify(one.args)) })),
        );
      }),
    );
  });
});
