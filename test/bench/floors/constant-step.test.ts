import { expect, test } from 'vitest';
import { alwaysStep, constantStep } from '../../../bench/floors/constant-step.js';
import { walkFloor } from '../../../bench/floors/walk-floors.js';
import { firstAlarm } from '../../../bench/prediction.js';
import type { Protocol } from '../../../bench/protocol.js';
import { benchRun } from '../support/bench-runs.js';
import { unsafe } from '../support/predictions.js';

const { signal } = new AbortController();
const FOUR = ['user: 6 times 7?', 'Solver: plan', 'Solver: 41', 'Checker: done'];

const training = [
  benchRun(FOUR, { id: 'a', label: unsafe(2) }),
  benchRun(FOUR, { id: 'b', label: unsafe(2) }),
  benchRun(FOUR, { id: 'c', label: unsafe(1) }),
  benchRun(FOUR, { id: 'd', domain: 'coding', label: unsafe(3, 'Checker') }),
];

async function alarmOn(told: readonly string[], domain: string, protocol: Protocol) {
  const run = benchRun(told, { id: 'new', domain, split: 'test' });
  const [prediction] = await walkFloor(constantStep, [...training, run], protocol, signal);
  return prediction && firstAlarm(prediction);
}

test("each domain's best step on training runs is blamed, and whoever spoke it", async () => {
  expect(await alarmOn(FOUR, 'math', 'strict')).toMatchObject({ step: 2, raisedAt: 2, agent: 'Solver' });
  expect(await alarmOn(FOUR, 'coding', 'strict')).toMatchObject({ step: 3, agent: 'Checker' });
});

test('nobody is blamed in a run that is too short, or of a domain that was not there', async () => {
  expect(await alarmOn(FOUR.slice(0, 2), 'math', 'strict')).toBeUndefined();
  expect(await alarmOn(FOUR, 'agentic', 'strict')).toBeUndefined();
});

test('a safe run that is judged by its whole alone is flagged only where it ends at that step', async () => {
  expect(await alarmOn(FOUR, 'math', 'official')).toBeUndefined();
  expect(await alarmOn(FOUR.slice(0, 3), 'math', 'official')).toMatchObject({ step: 2 });
});

test('the best step is the one of the protocol: what safe runs reach costs under strict alone', async () => {
  const safe = Array.from({ length: 10 }, (_, at) => benchRun(FOUR.slice(0, 3), { id: `safe-${at}` }));
  const runs = [
    ...safe,
    benchRun(FOUR, { id: 'a', label: unsafe(1) }),
    benchRun(FOUR, { id: 'b', label: unsafe(1) }),
    benchRun(FOUR, { id: 'c', label: unsafe(3) }),
    benchRun(FOUR, { id: 'new', split: 'test', label: unsafe(3) }),
  ];
  const blamed = async (protocol: Protocol) =>
    (await walkFloor(constantStep, runs, protocol, signal)).map((one) => firstAlarm(one)?.step);
  expect(await blamed('official')).toEqual([1]);
  expect(await blamed('strict')).toEqual([3]);
});

test('a fixed step needs no training', async () => {
  const run = benchRun(FOUR, { split: 'test' });
  const [prediction] = await walkFloor(alwaysStep(1), [run], 'strict', signal);
  expect(prediction?.audits.map(({ verdict }) => verdict?.kind)).toEqual(['continue', 'alarm']);
});
