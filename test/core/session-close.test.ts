import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../core/run-info.js';
import type { Schedule } from '../../core/schedule.js';
import { alarmAt, approve, at, auditedRun, gateway, says, settle } from '../support/audited-run.js';

const agentsOnly: Schedule = { due: ({ newest }) => newest.kind === 'agent' };
const result = says('ok', { kind: 'tool' });

describe('the last call of a completed run', () => {
  it('judges the whole run when its last turn was skipped, and may halt it', async () => {
    const { session, of } = auditedRun(
      ({ prefix }) => (prefix.newest.kind === 'tool' ? alarmAt(2) : { kind: 'continue' }),
      { schedule: agentsOnly },
    );
    await session.submit(says('3'));
    expect((await session.submit(result)).action).toBe('proceed');
    expect((await session.close({ status: 'completed' })).action).toBe('halt');
    expect(of('verdict').map(({ step }) => step)).toEqual([1, 2]);
    expect(of('close')[0]?.outcome.status).toBe('halted');
  });

  it('is not made when its last turn was judged', async () => {
    const { session, of } = auditedRun(approve, { schedule: agentsOnly });
    await session.submit(result);
    await session.submit(says('3'));
    await session.close({ status: 'completed' });
    expect(of('verdict')).toHaveLength(1);
  });

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])(
    'is not made when the last branch in order was judged, in whichever order they came: %s, %s',
    async (...lanes) => {
      const { session, of } = auditedRun(approve);
      for (const lane of lanes) await session.submit(says(lane, { path: [at(1, lane)] }));
      await session.close({ status: 'completed' });
      expect(of('verdict')).toHaveLength(2);
    },
  );

  it('is not made for a run of given turns only', async () => {
    const { session, of } = auditedRun(approve);
    await session.close({ status: 'completed' });
    expect(of('verdict')).toEqual([]);
  });

  it.each(['failed', 'aborted', 'interrupted'] as const)('is not made for a run that %s', async (status) => {
    const { session, of } = auditedRun(approve, { schedule: agentsOnly });
    await session.submit(result);
    await session.close({ status, error: 'why' });
    expect(of('verdict')).toEqual([]);
    expect(of('close')[0]?.outcome).toEqual({ status, error: 'why' });
  });
});

describe('close', () => {
  it('waits for the audits under way, so that its record is the last', async () => {
    const answer = gateway();
    const { session, records } = auditedRun(() => answer.opened.then(approve));
    void session.submit(says('3'));
    const closed = session.close({ status: 'failed' });
    await settle();
    expect(records.at(-1)?.type).toBe('turn');
    answer.open();
    await closed;
    expect(records.map(({ type }) => type)).toEqual(['run', 'turn', 'turn', 'verdict', 'close']);
  });

  it('counts once, and the second call waits for the first', async () => {
    const { session, of } = auditedRun(approve, { schedule: agentsOnly });
    await session.submit(result);
    const [first, second] = await Promise.all([
      session.close({ status: 'completed' }),
      session.close({ status: 'failed' }),
    ]);
    expect(first).toEqual(second);
    expect(of('close').map(({ outcome }) => outcome.status)).toEqual(['completed']);
    expect(of('verdict')).toHaveLength(1);
  });

  it('leaves no place for a later turn, and says so', async () => {
    const { session, records, diagnostics } = auditedRun(approve);
    const closing = session.close({ status: 'completed' });
    expect(await session.submit(says('too late'))).toEqual({ action: 'proceed' });
    await closing;
    expect(await session.submit(says('too late'))).toEqual({ action: 'proceed' });
    expect(records.at(-1)?.type).toBe('close');
    expect(session.turns()).toHaveLength(1);
    expect(diagnostics.map(({ code }) => code)).toEqual(['turn-after-close', 'turn-after-close']);
  });

  it('still says halt to a turn that comes after a halted run was closed', async () => {
    const { session } = auditedRun(() => alarmAt(1));
    await session.submit(says('4'));
    await session.close({ status: 'completed' });
    expect((await session.submit(says('too late'))).action).toBe('halt');
  });

  it.each([
    undefined,
    null,
    'completed',
    {},
    { status: 'done' },
    { status: 'failed', error: new Error('x') },
  ])('with %j for an outcome resolves, reports it, and leaves a log that can be read', async (outcome) => {
    const { session, of, diagnostics } = auditedRun(approve);
    expect(await session.close(outcome as Outcome)).toEqual({ action: 'proceed' });
    expect(of('close')[0]?.outcome).toEqual({
      status: 'failed',
      error: expect.stringContaining('no outcome'),
    });
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'bad-outcome' })]);
  });
});
