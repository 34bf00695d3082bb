import { describe, expect, test } from 'vitest';
import { benchRuns } from '../../../bench/datasets.js';
import { alwaysStep } from '../../../bench/floors/constant-step.js';
import { firstWorkerTurn } from '../../../bench/floors/first-worker-turn.js';
import type { Floor } from '../../../bench/floors/floor.js';
import { walkFloor } from '../../../bench/floors/walk-floors.js';
import { firstAlarm } from '../../../bench/prediction.js';
import type { Protocol } from '../../../bench/protocol.js';
import { scorePredictions } from '../../../bench/score.js';
import { dataFolder } from '../../collectors/support/data-folder.js';
import { benchRun } from '../support/bench-runs.js';

const { signal } = new AbortController();

async function alarmOn(told: readonly string[], protocol: Protocol = 'strict') {
  const run = benchRun(told, { split: 'test' });
  const [prediction] = await walkFloor(firstWorkerTurn, [run], protocol, signal);
  return prediction && firstAlarm(prediction);
}

test('whoever deals out the work is no worker, in whatever form it speaks', async () => {
  const told = ['user: ?', 'Orchestrator (thought): plan', 'Orchestrator (-> Surfer): go', 'Surfer: 41'];
  expect(await alarmOn(told)).toMatchObject({ step: 3, agent: 'Surfer' });
});

test('where a tool answers at once, turn 0 was the work', async () => {
  const told = ['Coder: print(6 * 7)', 'environment: 41', 'Checker: fine'];
  expect(await alarmOn(told)).toMatchObject({ step: 0, raisedAt: 1, agent: 'Coder' });
});

test('a safe run that is judged by its whole alone is not blamed for a worker of long ago', async () => {
  expect(await alarmOn(['user: ?', 'Solver: 42', 'Checker: fine'], 'official')).toBeUndefined();
  expect(await alarmOn(['user: ?', 'Manager: go', 'Solver: 42'], 'official')).toMatchObject({ step: 2 });
});

const folder = dataFolder('who-and-when');

describe.skipIf(!folder)('Who&When as published, strict', () => {
  test.each([
    [firstWorkerTurn, 'who-and-when-ag', 38.1, 61.9, 2.34],
    [firstWorkerTurn, 'who-and-when-hc', 19.0, 58.6, 11.4],
    [alwaysStep(1), 'who-and-when-ag', 27.0, 42.9, 2.32],
    [alwaysStep(4), 'who-and-when-hc', 15.5, 56.9, 11.3],
  ] as const)('$name on %s', async (floor: Floor, dataset, stepAcc, agentAcc, ass) => {
    const { runs } = await benchRuns([folder ?? '']);
    const ofHalf = runs.filter((run) => run.dataset === dataset);
    const [score] = scorePredictions(await walkFloor(floor, ofHalf, 'strict', signal), { resamples: 0 });
    expect(score?.overall.stepAcc?.value.toFixed(1)).toBe(stepAcc.toFixed(1));
    expect(score?.overall.agentAcc?.value.toFixed(1)).toBe(agentAcc.toFixed(1));
    expect(Math.abs((score?.overall.ass?.value ?? 0) - ass)).toBeLessThan(0.05);
  });
});
