import { describe, expect, it } from 'vitest';
import { AuditHalt } from '../../core/errors.js';
import type { Decision } from '../../core/gate.js';
import type { TurnInput } from '../../core/turn.js';
import { alarmAt, alarmOn, approve, at, auditedRun, gateway, says, settle } from '../support/audited-run.js';

const haltOf = (decision: Decision) => {
  if (decision.action !== 'halt') throw new Error('expected a halt');
  return decision.halt;
};

describe('an alarm', () => {
  it('halts, and tells everything about the run up to it', async () => {
    const { session, of } = auditedRun(alarmOn('4'));
    expect(await session.submit(says('I add.'))).toEqual({ action: 'proceed' });
    const halt = haltOf(await session.submit(says('4')));
    expect(halt).toMatchObject({
      runId: 'run',
      alarm: { step: 2, agent: 'solver', reason: 'the sum is wrong' },
      verdicts: [
        { step: 1, turnId: 'turn-1', verdict: { kind: 'continue' } },
        { step: 2, turnId: 'turn-2', verdict: { kind: 'alarm' } },
      ],
    });
    expect(halt.turns.map(({ content }) => content)).toEqual(['Sum 1 and 2.', 'I add.', '4']);
    expect(of('verdict').map(({ enforced }) => enforced)).toEqual(['proceed', 'halt']);
  });

  it('becomes an error that says where, who and why', async () => {
    const { session } = auditedRun(alarmOn('4'));
    const error = new AuditHalt(haltOf(await session.submit(says('4'))));
    expect(error).toBeInstanceOf(AuditHalt);
    expect(error.message).toBe('audit alarm at step 1 (solver): the sum is wrong');
  });

  it('may blame an earlier step', async () => {
    const { session, of } = auditedRun(({ prefix }) =>
      prefix.length === 3 ? alarmAt(0, 'user') : { kind: 'continue' },
    );
    await session.submit(says('3'));
    expect(haltOf(await session.submit(says('done'))).alarm?.step).toBe(0);
    expect(of('verdict').at(-1)).toMatchObject({ step: 2, alarmTurnId: 'turn-0' });
  });
});

describe('after an alarm', () => {
  it('every later turn is told to halt, recorded, and not audited', async () => {
    let asked = 0;
    const { session, of } = auditedRun(() => {
      asked++;
      return alarmAt(1);
    });
    const first = haltOf(await session.submit(says('4')));
    for (const words of ['again', 'and again']) {
      expect(haltOf(await session.submit(says(words)))).toBe(first);
    }
    expect(asked).toBe(1);
    expect(of('turn')).toHaveLength(4);
  });

  it('the close says halt too and records the run as halted, whatever the host makes of it', async () => {
    for (const status of ['completed', 'failed', 'interrupted'] as const) {
      const { session, of } = auditedRun(alarmOn('4'));
      await session.submit(says('4'));
      expect((await session.close({ status, error: 'the graph was stopped' })).action).toBe('halt');
      expect(of('close').map(({ outcome }) => outcome)).toEqual([{ status: 'halted' }]);
    }
  });

  it("but the caller's own abort stays an abort", async () => {
    const { session, of } = auditedRun(alarmOn('4'));
    await session.submit(says('4'));
    await session.close({ status: 'aborted' });
    expect(of('close')[0]?.outcome.status).toBe('aborted');
  });

  it('an alarm of a branch that was being judged meanwhile does not take its place', async () => {
    const slow = gateway();
    const { session, of } = auditedRun(async ({ prefix }) => {
      const { content } = prefix.newest;
      if (content === 'slow') await slow.opened;
      return alarmAt(1, 'solver', content);
    });
    const late = session.submit(says('slow', { path: [at(1, 'a')] }));
    const first = haltOf(await session.submit(says('quick', { path: [at(1, 'b')] })));
    slow.open();
    expect(haltOf(await late)).toBe(first);
    expect(first.alarm?.reason).toBe('quick');
    expect(first.verdicts).toHaveLength(1);
    expect(of('verdict').map(({ enforced }) => enforced)).toEqual(['halt', 'halt']);
  });
});

describe("in 'observe' mode", () => {
  it('an alarm is recorded as one, enforced as nothing, and nobody is asked any more', async () => {
    const asked: string[] = [];
    const audit = alarmOn('4');
    const { session, of } = auditedRun(
      (request, options) => {
        asked.push(request.prefix.newest.content);
        return audit(request, options);
      },
      { onAlarm: 'observe' },
    );
    const decisions = [];
    for (const words of ['I add.', '4', 'done']) decisions.push(await session.submit(says(words)));
    decisions.push(await session.close({ status: 'completed' }));
    expect(decisions.map(({ action }) => action)).toEqual(['proceed', 'proceed', 'proceed', 'proceed']);
    expect(asked).toEqual(['I add.', '4']);
    expect(of('verdict').at(-1)).toMatchObject({ verdict: alarmAt(2), enforced: 'proceed' });
    expect(of('run')[0]?.onAlarm).toBe('observe');
    expect(of('close')[0]?.outcome.status).toBe('completed');
  });
});

it('a failure that halts is not laid at the door of an alarm that was only observed', async () => {
  const { session } = auditedRun(() => alarmAt(1), { onAlarm: 'observe', onAuditFailure: 'halt' });
  await session.submit(says('4'));
  const decision = await session.submit({} as TurnInput);
  expect(haltOf(decision).alarm).toBeUndefined();
});

it('a failure that halts is final: the branch that alarms later does not rewrite it', async () => {
  const slow = gateway();
  const { session } = auditedRun(
    async ({ prefix }) => {
      if (prefix.newest.content !== 'slow') throw new Error('no credit');
      await slow.opened;
      return alarmAt(1);
    },
    { onAuditFailure: 'halt' },
  );
  const late = session.submit(says('slow', { path: [at(1, 'a')] }));
  const first = haltOf(await session.submit(says('quick', { path: [at(1, 'b')] })));
  slow.open();
  expect(first.alarm).toBeUndefined();
  expect(new AuditHalt(haltOf(await late)).message).toMatch(
    /^the audit of step 1 failed \(threw\): no credit;/,
  );
});

it('a halted run costs its later turns nothing that grows with the run', async () => {
  const { session } = auditedRun(({ prefix }) => (prefix.length > 3_000 ? alarmAt(1) : { kind: 'continue' }));
  for (let step = 1; step < 3_000; step++) void session.submit(says(`${step}`));
  const halt = haltOf(await session.submit(says('last')));
  await settle();
  for (let more = 0; more < 1_000; more++) {
    expect(haltOf(await session.submit(says(`more ${more}`))).turns).toBe(halt.turns);
  }
});

it('an auditor that approves never halts', async () => {
  const { session } = auditedRun(approve, { onAuditFailure: 'halt' });
  expect(await session.submit(says('3'))).toEqual({ action: 'proceed' });
  expect(await session.close({ status: 'completed' })).toEqual({ action: 'proceed' });
});

describe('an alarm that a human has overridden by taking the run up', () => {
  const continues = { runId: 'earlier', turns: [says('4', { id: 'blamed' })] };
  const overridden = ['blamed'];

  it('changes nothing when the same turn is blamed again; another turn is another matter', async () => {
    const blames = [
      { kind: 'alarm', step: 0, agent: 'solver', reason: 'still wrong' },
      { kind: 'alarm', step: 2, agent: 'solver', reason: 'wrong anew' },
    ] as const;
    let asked = 0;
    const { session, of } = auditedRun(
      () => blames[asked++] ?? { kind: 'continue' },
      {},
      { continues, overridden },
    );
    expect(await session.submit(says('5'))).toEqual({ action: 'proceed' });
    expect(haltOf(await session.submit(says('6'))).alarm).toMatchObject({ step: 2, reason: 'wrong anew' });
    expect(of('verdict').map(({ enforced }) => enforced)).toEqual(['proceed', 'halt']);
  });
});
