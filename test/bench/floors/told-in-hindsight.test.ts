import { expect, test } from 'vitest';
import { toldInHindsight } from '../../../bench/floors/told-in-hindsight.js';
import { firstAlarm } from '../../../bench/prediction.js';
import { prediction } from '../support/predictions.js';

test('the first alarm is told at the end, and blames what it blamed', () => {
  const told = toldInHindsight(prediction({ turns: 5 }, 'continue', { step: 0, agent: 'Coder' }));
  expect(told.audits).toHaveLength(1);
  expect(firstAlarm(told)).toMatchObject({ raisedAt: 4, step: 0, agent: 'Coder' });
});

test('silence stays silence', () => {
  const { audits } = toldInHindsight(prediction({ turns: 3 }, 'continue', 'continue', 'continue'));
  expect(audits.map(({ step, verdict }) => [step, verdict?.kind])).toEqual([[2, 'continue']]);
});
