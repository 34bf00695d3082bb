import { expect, test } from 'vitest';
import type { BenchRun } from '../../../bench/bench-run.js';
import { echoRule } from '../../../bench/floors/echo-rule.js';
import { walkFloor } from '../../../bench/floors/walk-floors.js';
import { firstAlarm } from '../../../bench/prediction.js';
import { benchRun } from '../support/bench-runs.js';
import { unsafe } from '../support/predictions.js';

const { signal } = new AbortController();
const ANSWERS = 'environment: [{"name": "compute", "result": "6 *\\n 7"}, {"name": "check", "result": "42"}]';

async function blamed(told: Parameters<typeof benchRun>[0], training: readonly BenchRun[] = []) {
  const run = benchRun(told, { id: 'new', split: 'test' });
  const [prediction] = await walkFloor(echoRule, [...training, run], 'strict', signal);
  return prediction && firstAlarm(prediction)?.step;
}

test('an agent that repeats all answers of its tools, white space aside, is not blamed', async () => {
  expect(await blamed(['user: ?', ANSWERS, 'Solver: 6 * 7  42', 'Solver: so 42'])).toBeUndefined();
});

test('one that says anything else is, also where it repeats one answer of two', async () => {
  expect(await blamed(['user: ?', ANSWERS, 'Solver: 6 * 7\n43'])).toBe(2);
  expect(await blamed(['user: ?', ANSWERS, 'Solver: 42'])).toBe(2);
});

test('one that calls the next tool is not', async () => {
  const calling = {
    agent: 'Solver',
    kind: 'agent' as const,
    content: 'next',
    toolCalls: [{ id: '', name: 'compute', args: 1 }],
  };
  expect(await blamed(['user: ?', ANSWERS, calling, ANSWERS, 'Solver: 41'])).toBe(4);
});

test('it keeps silent in a domain that it hurts', async () => {
  const broken = ['user: ?', ANSWERS, 'Solver: 41'];
  const right = [1, 2, 3].map((at) => benchRun(broken, { id: `r${at}`, domain: 'coding', label: unsafe(2) }));
  const wrong = [1, 2, 3].map((at) => benchRun(broken, { id: `w${at}` }));
  expect(await blamed(broken, right)).toBe(2);
  expect(await blamed(broken, [...right, ...wrong])).toBeUndefined();
});
