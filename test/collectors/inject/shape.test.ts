import { expect, test } from 'vitest';
import { isChanged, shapeFaults } from '../../../collectors/inject/shape.js';
import type { SampleTurn } from '../../../collectors/sample.js';

const turn = (content: string, more: Partial<SampleTurn> = {}): SampleTurn => ({
  agent: 'solver',
  kind: 'agent',
  content,
  ...more,
});
const words = 'The offer of supplier S-1004 is 12.50 per piece, so 40 pieces cost 500 euros in all.';

test.each([
  ['another number', turn(words), turn(words.replace('500', '460'))],
  [
    'other arguments of the same call',
    turn('', { toolCalls: [{ id: 'a', name: 'book', args: { day: 'Monday', seats: 2 } }] }),
    turn('', { toolCalls: [{ id: 'a', name: 'book', args: { seats: 2, day: 'Sunday' } }] }),
  ],
  ['a list that stays one', turn('- one\n- two\n- three'), turn('- one\n- two\n- four')],
])('%s keeps the shape', (_what, original, faulty) => {
  expect(shapeFaults(original, faulty)).toEqual([]);
  expect(isChanged(original, faulty)).toBe(true);
});

test.each([
  ['twice as long', turn(words), turn(`${words} ${words}`), /characters/],
  ['more lines', turn(words), turn(words.replaceAll(' ', '\n')), /lines/],
  ['a thought that was not there', turn(words), turn(words, { thought: 'hm' }), /thought/],
  ['no thought any more', turn(words, { thought: 'hm' }), turn(words), /thought/],
  [
    'no call any more',
    turn('', { toolCalls: [{ id: 'a', name: 'book', args: {} }] }),
    turn(''),
    /0 tool calls/,
  ],
  [
    'another tool',
    turn('', { toolCalls: [{ id: 'a', name: 'book', args: {} }] }),
    turn('', { toolCalls: [{ id: 'a', name: 'buy', args: {} }] }),
    /calls buy/,
  ],
  [
    'an argument more',
    turn('', { toolCalls: [{ id: 'a', name: 'book', args: { day: 1 } }] }),
    turn('', { toolCalls: [{ id: 'a', name: 'book', args: { day: 1, seat: 2 } }] }),
    /other arguments/,
  ],
  ['no JSON any more', turn('{"sum": 40}'), turn('the sum is 41'), /JSON/],
  ['a code fence', turn('x = 1\ny = 2\nz = 3'), turn('```\nx = 1\ny = 3\n```'), /fences/],
  ['curly quotes', turn(`he said "yes" to it`), turn('he said “no” to it'), /typographic/],
  ['no full stop', turn(words), turn(words.slice(0, -1)), /full stop/],
  ['white space at the end', turn(words), turn(`${words}\n`), /line break/],
  ['another receiver', turn(words, { handoffTo: 'a' }), turn(words, { handoffTo: 'b' }), /control/],
])('%s does not', (_what, original, faulty, fault) => {
  expect(shapeFaults(original, faulty).join('; ')).toMatch(fault);
});

test('other white space or case is no change', () => {
  expect(isChanged(turn('The sum is 40.'), turn('the  sum\nis 40.'))).toBe(false);
});
