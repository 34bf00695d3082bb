import { describe, expect, test } from 'vitest';
import { Gate, type GatePolicy, type GateSetting } from '../../core/gate.js';
import type { Verdict } from '../../core/verdict.js';

const alarm: Verdict = { kind: 'alarm', step: 2, agent: 'solver', reason: 'wrong sum' };
const failure = { failure: { kind: 'threw', message: 'no credit' } } as const;

function gate(policy: Partial<GatePolicy>, setting: Partial<GateSetting> = {}): Gate {
  return new Gate(
    { onAlarm: 'halt', onAuditFailure: 'proceed', maxRecoveries: 2, ...policy },
    { can: ['pause', 'recover'], overridden: [], recoveries: 0, revisable: [], ...setting },
  );
}
const blames = (more: { given?: boolean } = {}) => ({ id: 'turn-2', ...more });
const answer = (to: Gate, more: { given?: boolean } = {}) => to.take({ verdict: alarm }, () => blames(more));

describe('what is done about an alarm', () => {
  test.each<[string, Partial<GatePolicy>, Partial<GateSetting>, { given?: boolean }, string]>([
    ['halt', { onAlarm: 'halt' }, {}, {}, 'halt'],
    ['observe', { onAlarm: 'observe' }, {}, {}, 'proceed'],
    ['pause', { onAlarm: 'pause' }, {}, {}, 'pause'],
    ['pause where the host cannot', { onAlarm: 'pause' }, { can: ['recover'] }, {}, 'halt'],
    ['pause on a turn of an earlier run', { onAlarm: 'pause' }, {}, { given: true }, 'pause'],
    ['recover', { onAlarm: 'recover' }, {}, {}, 'recover'],
    ['recover where the host cannot', { onAlarm: 'recover' }, { can: ['pause'] }, {}, 'halt'],
    ['recover, one try left', { onAlarm: 'recover' }, { recoveries: 1 }, {}, 'recover'],
    ['recover, no try left', { onAlarm: 'recover' }, { recoveries: 2 }, {}, 'halt'],
    ['recover from a turn that was there before', { onAlarm: 'recover' }, {}, { given: true }, 'halt'],
    [
      'recover from one within reach',
      { onAlarm: 'recover' },
      { revisable: ['turn-2'] },
      { given: true },
      'recover',
    ],
    ['an alarm that a human has overridden', {}, { overridden: ['turn-2'] }, {}, 'proceed'],
  ])('%s', (_name, policy, setting, blamed, expected) => {
    expect(answer(gate(policy, setting), blamed)).toBe(expected);
  });
});

test('when the host is done, nothing is left to pause before', () => {
  const closed = gate({ onAlarm: 'pause' });
  closed.close();
  expect(answer(closed)).toBe('halt');
});

test('an audit that fails under a strict policy halts, whatever is done about alarms', () => {
  const strict = gate({ onAlarm: 'pause', onAuditFailure: 'halt' });
  expect(strict.take(failure, () => blames())).toBe('halt');
  expect(strict.shut).toBe('halt');
});

test('the first answer is the last: a later failure does not turn a pause into a halt', () => {
  const paused = gate({ onAlarm: 'pause', onAuditFailure: 'halt' });
  answer(paused);
  expect(paused.take(failure, () => blames())).toBe('pause');
});
