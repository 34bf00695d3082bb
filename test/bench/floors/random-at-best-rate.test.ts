import { expect, test } from 'vitest';
import { randomAtBestRate } from '../../../bench/floors/random-at-best-rate.js';
import { walkFloor } from '../../../bench/floors/walk-floors.js';
import { firstAlarm } from '../../../bench/prediction.js';
import { benchRun } from '../support/bench-runs.js';
import { unsafe } from '../support/predictions.js';

const { signal } = new AbortController();
const FIVE = ['user: ?', 'A: 1', 'A: 2', 'A: 3', 'A: 4'];
const tested = Array.from({ length: 400 }, (_, at) => benchRun(FIVE, { id: `t${at}`, split: 'test' }));

async function steps(seed: number, decisive: number) {
  const training = [benchRun(FIVE, { label: unsafe(decisive) })];
  const predictions = await walkFloor(randomAtBestRate(seed), [...training, ...tested], 'strict', signal);
  return predictions.map((one) => firstAlarm(one)?.step);
}

test('where all is lost at once, every first prefix is blamed', async () => {
  expect(new Set(await steps(1, 0))).toEqual(new Set([0]));
});

test('the rate is the best one, and chance spreads alarms by it', async () => {
  // F1 = 2 p (1-p)^3 / (1 + 1 - (1-p)^5), highest at p = 0.206.
  const blamed = await steps(1, 3);
  const first = blamed.filter((step) => step === 0).length / blamed.length;
  expect(first).toBeGreaterThan(0.205 - 0.07);
  expect(first).toBeLessThan(0.205 + 0.07);
});

test('the same seed says the same of a run, whatever other runs there are; another seed, other things', async () => {
  const blamed = await steps(1, 3);
  expect(await steps(1, 3)).toEqual(blamed);
  expect(await steps(2, 3)).not.toEqual(blamed);
});
