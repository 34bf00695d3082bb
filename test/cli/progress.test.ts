import { expect, it } from 'vitest';
import { progressLine } from '../../cli/progress.js';

it.each([
  [{ done: 1_204, total: undefined, from: 0, ms: 2_000 }, '1,204 runs, 602/s'],
  [
    { done: 500, total: 2_000, from: 0, ms: 1_000 },
    'runs █████░░░░░░░░░░░░░░░ 500 of 2,000, 500/s, 3.0 s left',
  ],
  // What an earlier call has done says nothing of this one's speed.
  [
    { done: 1_500, total: 2_000, from: 1_000, ms: 1_000 },
    'runs ███████████████░░░░░ 1,500 of 2,000, 500/s, 1.0 s left',
  ],
  [{ done: 1_000, total: 2_000, from: 1_000, ms: 1 }, 'runs ██████████░░░░░░░░░░ 1,000 of 2,000, 0/s'],
  [{ done: 0, total: 0, from: 0, ms: 1 }, 'runs ████████████████████ 0 of 0, 0/s'],
])('%o is shown as %s', (moment, line) => {
  expect(progressLine('runs', moment)).toBe(line);
});
