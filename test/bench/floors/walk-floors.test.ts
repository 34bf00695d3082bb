import { beforeAll, describe, expect, test } from 'vitest';
import type { BenchRun } from '../../../bench/bench-run.js';
import { benchRuns } from '../../../bench/datasets.js';
import { randomAtBestRate } from '../../../bench/floors/random-at-best-rate.js';
import { walkFloor, walkFloors } from '../../../bench/floors/walk-floors.js';
import type { Prediction } from '../../../bench/prediction.js';
import type { Protocol } from '../../../bench/protocol.js';
import { scorePredictions } from '../../../bench/score.js';
import { dataFolder } from '../../collectors/support/data-folder.js';
import { labelledCorpus } from '../../collectors/support/labelled-corpus.js';
import { benchRun, fromSample } from '../support/bench-runs.js';
import { unsafe } from '../support/predictions.js';

const { signal } = new AbortController();
const TOLD = ['user: ?', 'Solver: plan', 'Solver: 41'];

describe('which floors', () => {
  test('are fitted on training runs, and walk the others alone', async () => {
    const runs = labelledCorpus(60).map((sample, at) => fromSample(sample, at < 50 ? 'train' : 'test'));
    const walked = await Array.fromAsync(walkFloors(runs, 'strict', signal));
    expect(walked.map(({ floor }) => floor.name)).toEqual([
      'constant-step',
      'first-worker-turn',
      'random-at-best-rate',
      'echo-rule',
      'no-text-probe',
      'n-gram-probe',
    ]);
    for (const { predictions } of walked) expect(predictions).toHaveLength(10);
  });

  test('need nothing chosen, where there are no training runs', async () => {
    const runs = [{ ...benchRun(TOLD, { label: unsafe(1) }), split: undefined }];
    const walked = await Array.fromAsync(walkFloors(runs, 'strict', signal));
    expect(walked.map(({ floor }) => floor.name)).toEqual([
      'first-worker-turn',
      'echo-rule',
      'always-step-1',
      'always-step-4',
    ]);
  });

  test('say after the fact what they say under strict on the way', async () => {
    const runs = [{ ...benchRun(TOLD, { label: unsafe(1) }), split: undefined }];
    for await (const { floor, predictions } of walkFloors(runs, 'post-hoc', signal))
      if (floor.name === 'always-step-1')
        expect(predictions[0]?.audits).toMatchObject([{ step: 2, verdict: { kind: 'alarm', step: 1 } }]);
  });

  test('have little to learn from few training runs, and walk all the same', async () => {
    const runs = [benchRun(TOLD), benchRun(TOLD, { id: 'new', split: 'test', label: unsafe(1) })];
    const walked = await Array.fromAsync(walkFloors(runs, 'strict', signal));
    const probes = walked.filter(({ floor }) => floor.name.endsWith('probe'));
    expect(probes).toHaveLength(2);
    for (const { predictions } of probes)
      expect(predictions[0]?.audits.map(({ verdict }) => verdict?.kind)).toEqual(TOLD.map(() => 'continue'));
  });

  test('stop when they are told to', async () => {
    const stopped = AbortSignal.abort(new Error('enough'));
    const runs = [benchRun(TOLD), benchRun(TOLD, { id: 'other', split: 'test' })];
    await expect(Array.fromAsync(walkFloors(runs, 'strict', stopped))).rejects.toThrow('enough');
  });
});

const folder = dataFolder('aftraj');

describe.skipIf(!folder).each([
  { protocol: 'strict', constant: 24.65, constantFar: 100, noText: 70.9 },
  { protocol: 'official', constant: 37.42, constantFar: 0, noText: 76.6 },
] as const)('AFTraj as published, $protocol', ({ protocol, constant, constantFar, noText }) => {
  let runs: readonly BenchRun[];
  let said: ReadonlyMap<string, readonly Prediction[]>;
  beforeAll(async () => {
    ({ runs } = await benchRuns([folder ?? '']));
    const walked = await Array.fromAsync(walkFloors(runs, protocol as Protocol, signal));
    said = new Map(walked.map(({ floor, predictions }) => [floor.name, predictions]));
  }, 600_000);

  const scoreOf = (predictions: readonly Prediction[] = []) =>
    scorePredictions(predictions, { by: [], resamples: 0 })[0]?.overall;

  test("each domain's best constant step", () => {
    const score = scoreOf(said.get('constant-step'));
    expect(Math.abs((score?.exactF1Released?.value ?? 0) - constant)).toBeLessThanOrEqual(1);
    expect(score?.far?.value).toBe(constantFar);
  });

  test('the echo rule on math and coding', () => {
    const rows = said.get('echo-rule')?.filter(({ truth }) => truth.domain !== 'agentic');
    expect(rows).toHaveLength(207);
    const score = scoreOf(rows);
    expect(score?.exactF1Released?.value).toBeGreaterThanOrEqual(62.7);
    expect(score?.exactF1Released?.value).toBeLessThanOrEqual(67.9);
    expect(score?.far?.value).toBe(0);
  });

  test('the probe that reads no text beats the published 7B', () => {
    const score = scoreOf(said.get('no-text-probe'));
    expect(Math.abs((score?.exactF1Released?.value ?? 0) - noText)).toBeLessThanOrEqual(4);
    expect(score?.exactF1Released?.value).toBeGreaterThan(66.44);
  });

  test('the one that reads tokens scores no less than 4 points below the small model of the same kind', () => {
    const known = protocol === 'strict' ? 73.5 : 75.8;
    expect(scoreOf(said.get('n-gram-probe'))?.exactF1Released?.value).toBeGreaterThanOrEqual(known - 4);
  });

  test('chance stays far below all of them', async () => {
    const f1s = await Promise.all(
      [1, 2, 3].map(async (seed) => {
        const predictions = await walkFloor(randomAtBestRate(seed), runs, protocol as Protocol, signal);
        return scoreOf(predictions)?.exactF1Released?.value ?? Number.NaN;
      }),
    );
    for (const f1 of f1s) expect(f1).toBeLessThan(20);
  });
});
