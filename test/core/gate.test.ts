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

describe('a spent budget', () => {
  const spent = { failure: { kind: 'budget', message: '2 of 2 model calls are spent' } } as const;

  test.each<[string, Partial<GatePolicy>, string]>([
    [
      'proceeds where it says so, strict as the policy is',
      { budget: { calls: 2, whenSpent: 'proceed' }, onAuditFailure: 'halt' },
      'proceed',
    ],
    [
      'halts where it says so',
      { budget: { calls: 2, whenSpent: 'halt' }, onAuditFailure: 'proceed' },
      'halt',
    ],
    ["that is the auditor's own is a failure like any other", { onAuditFailure: 'halt' }, 'halt'],
  ])('%s', (_name, policy, expected) => {
    expect(gate(policy).take(spent, () => blames())).toBe(expected);
  });

  test('has no say in other failures', () => {
    const lenient = gate({ budget: { calls: 2, whenSpent: 'halt' } });
    expect(lenient.take(failure, () => blames())).toBe('proceed');
  });
});

test('the first answer is the last: a later failure does not turn a pause into a halt', () => {
  const paused = gate({ onAlarm: 'pause', onAuditFailure: 'halt' });
  answer(paused);
  expect(paused.take(failure, () => blames())).toBe('pause');
});
