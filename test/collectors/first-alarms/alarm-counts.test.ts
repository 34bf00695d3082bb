import { expect, test } from 'vitest';
import { counted, type LabelledAlarm, NOTHING } from '../../../collectors/first-alarms/alarm-counts.js';
import { paperF1, releasedF1 } from '../../../collectors/first-alarms/exact-f1.js';

const countsOf = (...runs: LabelledAlarm[]) => runs.reduce(counted, NOTHING);

const error = { step: 3, agent: 'Orchestrator' };

test('every count, worked out by hand', () => {
  const counts = countsOf(
    { error, alarm: { step: 3, agent: 'Orchestrator' } },
    { error, alarm: { step: 5, agent: 'Orchestrator (thought)' } },
    { error, alarm: { step: 2, agent: 'WebSurfer' } },
    { error, alarm: undefined },
    { error: undefined, alarm: { step: 1, agent: 'Orchestrator' } },
    { error: undefined, alarm: undefined },
  );
  expect(counts).toEqual({
    safe: 2,
    falseAlarms: 1,
    unsafe: 4,
    flagged: 3,
    exact: 1,
    shift: 0 + 2 + 1,
    withAgent: 4,
    sameName: 1,
    sameAgent: 2,
  });
  // Recall 1/4; precision 1/3 by the paper's text, 1/4 by the released code.
  expect(paperF1(counts)).toBeCloseTo(2 / 7, 12);
  expect(releasedF1(counts)).toBeCloseTo(1 / 4, 12);
});

test('where nobody is named, no agent is right or wrong', () => {
  expect(countsOf({ error: { step: 3 }, alarm: { step: 3, agent: 'Solver' } })).toMatchObject({
    exact: 1,
    withAgent: 0,
    sameName: 0,
    sameAgent: 0,
  });
  expect(countsOf({ error, alarm: { step: 3 } })).toMatchObject({ exact: 1, withAgent: 1, sameAgent: 0 });
});

test('with no unsafe run and no alarm, Exact-F1 is 0 and not NaN', () => {
  expect(releasedF1(countsOf({ error: undefined, alarm: undefined }))).toBe(0);
});
