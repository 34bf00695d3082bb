import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isPerSample, readPerSampleFile } from '../../../bench/per-sample/read-per-sample.js';
import type { Score } from '../../../bench/score/run-score.js';
import { scorePredictions } from '../../../bench/score.js';
import { dataFolder } from '../../collectors/support/data-folder.js';
import { logFile } from '../../support/temporary-folder.js';
import { perSampleConfig, perSampleRow } from '../support/per-sample-rows.js';

test('configuration and runs; what changed when it was taken up again, and what was invalid', async () => {
  const file = logFile(
    perSampleConfig(),
    perSampleRow(),
    perSampleConfig({ timeout_seconds: 300 }),
    perSampleRow({ conv_id: 'b', pred_step: -1, num_calls: 6, format_valid: false }),
  );
  const { model, protocol, predictions, remarks } = await readPerSampleFile(file);
  expect({ model, protocol }).toEqual({ model: 'tiny', protocol: 'official' });
  expect(predictions.map(({ truth }) => [truth.runId, truth.split])).toEqual([
    ['math_0001_unsafe', 'test'],
    ['b', 'test'],
  ]);
  expect(remarks[0]).toMatch(/^1 of 2 last replies were invalid/);
  expect(remarks.at(-1)).toBe('taken up again with other settings: timeout_seconds 120, then 300');
});

test('bad files are refused, by place', async () => {
  const refused = (...lines: readonly object[]) => readPerSampleFile(logFile(...lines));
  await expect(refused(perSampleConfig(), perSampleRow(), perSampleRow())).rejects.toThrow(
    /:3 \(conv_id\): math_0001_unsafe is there twice/,
  );
  await expect(refused(perSampleRow(), perSampleRow({ conv_id: 'b' }))).rejects.toThrow(
    'no configuration line',
  );
  await expect(refused(perSampleConfig(), perSampleConfig())).rejects.toThrow('no run');
  await expect(
    refused(perSampleConfig(), perSampleRow(), perSampleConfig({ model: 'other' })),
  ).rejects.toThrow('two models, tiny and other');
});

test('is known by its first line', () => {
  expect(isPerSample(perSampleConfig())).toBe(true);
  expect(isPerSample(perSampleRow())).toBe(false);
  expect(isPerSample({ _record_type: 'other', model: 'tiny' })).toBe(false);
});

const aftraj = dataFolder('aftraj');

describe.skipIf(aftraj === undefined)('an independent run of DeepSeek-V4-Flash over the test split', () => {
  const read = () =>
    readPerSampleFile(path.join(aftraj as string, 'third-party-deepseek-v4-flash.per_sample.jsonl'));
  const row = ({ runs, exactF1Released, ass, far, stepAcc }: Score) => [
    runs,
    ...[exactF1Released, ass, far, stepAcc].map((estimate) => estimate?.value),
  ];

  test('gives the aggregates that were published of it', async () => {
    const { predictions, remarks } = await read();
    const [score, ...others] = scorePredictions(predictions);
    expect(others).toEqual([]);
    expect(score?.dataset).toBe('aftraj');
    const { overall, by } = score as NonNullable<typeof score>;
    // Runs, Exact-F1 by the released code, ASS, FAR, Step-Acc.
    expect(row(overall)).toEqual([332, 30.94, 2.77, 31.36, 34.36]);
    expect(row(by.domain?.['math'] as Score)).toEqual([116, 40.32, 3.44, 15.52, 43.1]);
    expect(row(by.domain?.['coding'] as Score)).toEqual([91, 12.82, 4.59, 35.19, 13.51]);
    expect(row(by.domain?.['agentic'] as Score)).toEqual([125, 32.5, 1.6, 43.86, 38.24]);
    expect(overall.prefixFalseAlarms.ofUnsafeRuns).toMatchObject({ value: 15.4, part: 83, of: 539 });
    expect(overall.prematureAlarms).toMatchObject({ part: 83, of: 163 });
    expect(overall.failures).toMatchObject({ failedAudits: 6, runsWithoutVerdict: 4 });
    expect(remarks[0]).toMatch(/^6 of 332 last replies were invalid/);
  });

  test('is scored in under a second, with all parts and intervals', async () => {
    const { predictions } = await read();
    const times = Array.from({ length: 3 }, () => {
      const began = performance.now();
      scorePredictions(predictions);
      return performance.now() - began;
    });
    // Measured: 0.13 s.
    expect(Math.min(...times)).toBeLessThan(1_000);
  });
});
