import { describe, expect, it } from 'vitest';
import { approvingAuditor, proceed, ScriptedAuditor } from '../../../core/testing/index.js';
import { alarmAt, auditedRun, says } from '../../support/audited-run.js';

describe('ScriptedAuditor', () => {
  it('says its replies in order, and remembers what it was asked', async () => {
    const auditor = new ScriptedAuditor([proceed, alarmAt(1)]);
    const { session } = auditedRun(auditor.audit, { auditor });
    const decisions = [await session.submit(says('3')), await session.submit(says('done'))];
    expect(decisions.map(({ action }) => action)).toEqual(['proceed', 'halt']);
    expect(auditor.requests.map(({ turns }) => turns.map(({ content }) => content))).toEqual([
      ['Sum 1 and 2.', '3'],
      ['Sum 1 and 2.', '3', 'done'],
    ]);
    expect(() => auditor.assertComplete()).not.toThrow();
  });

  it('throws errors and calls functions', async () => {
    const auditor = new ScriptedAuditor([new Error('no credit'), async () => alarmAt(2)]);
    const { session, of } = auditedRun(auditor.audit, { auditor });
    await session.submit(says('3'));
    await session.submit(says('done'));
    expect(of('failure')[0]?.failure).toEqual({ kind: 'threw', message: 'no credit' });
    expect(of('verdict')[0]?.verdict).toEqual(alarmAt(2));
  });

  it('complains about replies that are left over', () => {
    expect(() => new ScriptedAuditor([proceed]).assertComplete()).toThrow(
      '1 scripted replies were never asked for',
    );
  });

  it('fails when it has nothing left to say, unless told what to say then', async () => {
    for (const [auditor, failures] of [
      [new ScriptedAuditor([]), 1] as const,
      [approvingAuditor(), 0] as const,
    ]) {
      const { session, of } = auditedRun(auditor.audit, { auditor });
      await session.submit(says('3'));
      expect(of('failure')).toHaveLength(failures);
    }
  });
});
