import { describe, expect, test } from 'vitest';
import { predictionIn } from '../../../bench/per-sample/per-sample-row.js';
import { firstAlarm } from '../../../bench/prediction.js';
import { perSampleRow } from '../support/per-sample-rows.js';

const at = { file: 'per_sample.jsonl', line: 2 };
const read = (fields: Parameters<typeof perSampleRow>[0]) => predictionIn(perSampleRow(fields), at, 'test');

describe('an unsafe run', () => {
  test('its walk ends with the alarm: what is blamed, and where it was raised', () => {
    const prediction = read({ num_calls: 4, pred_step: 1, detection_step: 3, gen_time_s: 10 });
    expect(prediction.audits.map(({ step, verdict, ms }) => [step, verdict?.kind, ms])).toEqual([
      [0, 'continue', 2_500],
      [1, 'continue', 2_500],
      [2, 'continue', 2_500],
      [3, 'alarm', 2_500],
    ]);
    expect(firstAlarm(prediction)).toMatchObject({
      raisedAt: 3,
      step: 1,
      agent: 'Solver',
      reason: 'wrong sum',
    });
    expect(prediction.truth).toEqual({
      runId: 'math_0001_unsafe',
      dataset: 'aftraj',
      domain: 'math',
      split: 'test',
      group: 'math_0001_unsafe',
      turns: 6,
      label: { kind: 'unsafe', step: 3, agent: '' },
    });
  });

  test('without an alarm it was walked to its end', () => {
    const { audits } = read({ num_calls: 6, pred_step: -1, detection_step: 5 });
    expect(audits.map(({ verdict }) => verdict?.kind)).toEqual(Array(6).fill('continue'));
  });
});

test('a safe run has one audit, of the whole', () => {
  const safe = { label: 'safe', gt_step: -1, num_calls: 1, detection_step: -1 };
  expect(read({ ...safe, pred_step: -1 }).audits).toMatchObject([{ step: 5, verdict: { kind: 'continue' } }]);
  expect(firstAlarm(read({ ...safe, pred_step: 2 }))).toMatchObject({ raisedAt: 5, step: 2 });
});

test('an invalid last reply is a failure; an alarm counts as the harness counted it', () => {
  const [audit] = read({
    label: 'safe',
    gt_step: -1,
    num_calls: 1,
    pred_step: -1,
    format_valid: false,
  }).audits;
  expect(audit).toMatchObject({ step: 5, failure: { kind: 'invalid' } });
  expect(audit?.verdict).toBeUndefined();
  expect(firstAlarm(read({ format_valid: false }))).toMatchObject({ step: 3 });
});

test.each([
  [{ label: 'safe', gt_step: 3, num_calls: 1 }, 'gt_step'],
  [{ gt_step: -1 }, 'gt_step'],
  [{ gt_step: 6 }, 'gt_step'],
  [{ label: 'safe', gt_step: -1, num_calls: 4 }, 'num_calls'],
  [{ num_calls: 7, pred_step: -1 }, 'num_calls'],
  [{ num_calls: 0 }, 'num_calls'],
  [{ pred_step: 6 }, 'pred_step'],
  [{ detection_step: 2 }, 'detection_step'],
  [{ conv_id: undefined }, 'conv_id'],
  [{ label: 'unknown' }, 'label'],
  [{ format_valid: 'yes' }, 'format_valid'],
])('%o is refused, by its field', (fields, field) => {
  expect(() => read(fields)).toThrow(`per_sample.jsonl:2 (${field})`);
});
