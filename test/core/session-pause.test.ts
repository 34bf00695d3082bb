import { describe, expect, it } from 'vitest';
import { alarmOn, auditedRun, says } from '../support/audited-run.js';

const can = ['pause', 'recover'] as const;

describe('a host that can pause', () => {
  const paused = async () => {
    const run = auditedRun(alarmOn('4'), { onAlarm: 'pause' }, { can });
    return { ...run, decision: await run.session.submit(says('4')) };
  };

  it('is told to, with all that a halt carries, and told again at every later gate', async () => {
    const { session, decision } = await paused();
    expect(decision).toMatchObject({
      action: 'pause',
      halt: { alarm: { step: 1, reason: 'the sum is wrong' } },
    });
    expect(await session.submit(says('5'))).toEqual(decision);
  });

  it('and waits, is paused; one that does not, was halted; one that was aborted, aborted', async () => {
    for (const [status, recorded] of [
      ['interrupted', 'paused'],
      ['completed', 'halted'],
      ['failed', 'halted'],
      ['aborted', 'aborted'],
    ] as const) {
      const { session, of } = await paused();
      await session.close({ status });
      expect(of('close').map(({ outcome }) => outcome.status)).toEqual([recorded]);
    }
  });

  it('is halted by an alarm that comes when it is done', async () => {
    const { session, of } = auditedRun(
      alarmOn('4'),
      { onAlarm: 'pause', schedule: { due: () => false } },
      { can },
    );
    await session.submit(says('4'));
    expect(await session.close({ status: 'completed' })).toMatchObject({ action: 'halt' });
    expect(of('verdict').map(({ enforced }) => enforced)).toEqual(['halt']);
  });
});

describe('a host that can go back', () => {
  it('is told to, until it has tried often enough', async () => {
    const decide = async (recoveries: number) => {
      const continues = { runId: 'earlier', turns: [], recoveries };
      const run = auditedRun(alarmOn('4'), { onAlarm: 'recover', maxRecoveries: 2 }, { can, continues });
      return (await run.session.submit(says('4'))).action;
    };
    expect([await decide(0), await decide(1), await decide(2)]).toEqual(['recover', 'recover', 'halt']);
  });

  it('says in the log how often it has, and what it undid', async () => {
    const continues = { runId: 'earlier', turns: [says('1', { id: 'a' })], recoveries: 1, undone: ['b'] };
    const { of, session } = auditedRun(() => ({ kind: 'continue' }), {}, { can, continues });
    await session.close({ status: 'completed' });
    expect(of('run')).toMatchObject([{ continues: 'earlier', recoveries: 1, undone: ['b'] }]);
  });
});

it('a host that can do neither is halted', async () => {
  for (const onAlarm of ['pause', 'recover'] as const) {
    const { session } = auditedRun(alarmOn('4'), { onAlarm });
    expect(await session.submit(says('4'))).toMatchObject({ action: 'halt' });
  }
});
