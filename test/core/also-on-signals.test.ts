import { expect, it } from 'vitest';
import { alsoOnSignals } from '../../core/also-on-signals.js';
import { everyNth } from '../../core/every-nth.js';
import type { Schedule } from '../../core/schedule.js';
import { answers, calls, prefixes, says, user } from './auditors/signals-support.js';

const never: Schedule = { due: () => false };

const failing = [
  user('Run the tests.'),
  says('tester', 'I run them.'),
  calls('tester', 'run', { file: 'a.py' }),
  answers('run', 'exitcode: 1 (execution failed)\nTraceback (most recent call last):\nValueError: bad'),
  says('tester', 'Let me look.'),
];

it('asks at once where something strong or weak is found, and nowhere else of itself', () => {
  expect(prefixes(failing).map((prefix) => alsoOnSignals(never).due(prefix))).toEqual([
    false,
    false,
    false,
    true,
    false,
  ]);
});

it('asks wherever its schedule does', () => {
  expect(prefixes(failing).map((prefix) => alsoOnSignals(everyNth(2)).due(prefix))).toEqual([
    false,
    true,
    false,
    true,
    true,
  ]);
});

it('is not called early by a mere observation, or by a check that is no good', () => {
  // `unseen-number` and `simulated-code` fire on it.
  const turns = [user('Sum.'), says('solver', 'Let us simulate it: ```python\nprint(4711)\n```')];
  expect(prefixes(turns).map((prefix) => alsoOnSignals(never).due(prefix))).toEqual([false, false]);
});
