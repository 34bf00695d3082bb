import { expect, test } from 'vitest';
import type { LabelledScores } from '../../../cli/calibrate/gather-scores.js';
import { found, heldOut } from '../../../cli/calibrate/held-out.js';
import type { CalibrationFile } from '../../../core/index.js';

const calibration: CalibrationFile = {
  version: 1,
  createdAt: '2026-12-01T09:30:00.000Z',
  auditor: 'own',
  thresholds: [
    { fromStep: 0, above: 0.5 },
    { fromStep: 3, above: 0.8 },
  ],
  far: 0.1,
  seed: 1,
  runs: { shape: 60, calibration: 60, exceeding: 5, tasks: 120 },
  interval: { confidence: 0.95, low: 0.03, high: 0.19 },
};

const run = (task: string, ...scores: readonly number[]): LabelledScores => ({
  runId: task,
  task,
  scores: scores.map((score, at) => ({ step: at + 1, score, blames: at })),
  auditors: ['own'],
  failures: 0,
});
const runs = (count: number, ...scores: readonly number[]) =>
  Array.from({ length: count }, (_, at) => run(`task ${at}`, ...scores));

test('held-out runs: the alarms, against the interval and against what so many should have', () => {
  const few = heldOut([...runs(36, 0.5, 0.1, 0.8), ...runs(4, 0.51)], calibration, new Set(['task 35']));
  expect(few).toMatchObject({ runs: 40, alarms: 4, isInInterval: true, isAsExpected: true, sharedTasks: 1 });
  const many = heldOut([...runs(20, 0.1), ...runs(20, 0.1, 0.1, 0.81)], calibration, new Set());
  expect(many).toMatchObject({ alarms: 20, isInInterval: false, isAsExpected: false });
  expect(few.expected).toEqual(many.expected);
});

test('a held-out run that an alarm had ended counts as one with an alarm', () => {
  expect(heldOut([{ ...run('a', 0.1), endedByAlarm: true }], calibration, new Set()).alarms).toBe(1);
});

test('failed runs, by where they come from: the first alarm counts, and whom it blames', () => {
  const failed = (step: number, source: 'injected' | 'natural', ...scores: readonly number[]) => ({
    ...run('a', ...scores),
    label: { kind: 'unsafe', step, agent: 'solver', source } as const,
  });
  expect(
    found(
      [
        failed(0, 'injected', 0.9, 0.1),
        failed(1, 'injected', 0.9, 0.9),
        failed(1, 'injected', 0.1, 0.1),
        failed(1, 'natural', 0.1, 0.9),
      ],
      calibration,
    ),
  ).toEqual({
    injected: { runs: 3, alarms: 2, exactStep: 1 },
    natural: { runs: 1, alarms: 1, exactStep: 1 },
  });
});
