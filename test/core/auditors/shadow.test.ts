import { describe, expect, it } from 'vitest';
import { shadow } from '../../../core/auditors/shadow.js';
import { SetupError } from '../../../core/errors.js';
import type { Schedule } from '../../../core/schedule.js';
import { alarmAt, auditedRun, gateway, says, settle } from '../../support/audited-run.js';
import { call, named } from '../../support/opinions.js';

const fine = { kind: 'continue' } as const;
const proceeds = { action: 'proceed' };
type Told = { note: (told: unknown) => void };

const shadowed = (candidate: unknown, options: Parameters<typeof auditedRun>[1] = {}, ms?: number) => {
  const primary = named('primary', fine);
  const auditor = shadow(primary, named('candidate', candidate), ms === undefined ? {} : { deadlineMs: ms });
  return { primary, ...auditedRun(auditor.audit, { auditor, ...options }) };
};

it("the primary's verdict counts, and the candidate's stands beside it as an opinion", async () => {
  const { session, of } = shadowed(alarmAt(1));
  expect(await session.submit(says('3'))).toEqual(proceeds);
  expect(await session.close({ status: 'completed' })).toEqual(proceeds);
  expect(of('verdict').map(({ verdict }) => verdict)).toEqual([fine]);
  expect(of('note')).toEqual([
    expect.objectContaining({
      turnId: 'turn-1',
      step: 1,
      note: {
        type: 'opinion',
        auditor: 'candidate',
        shadow: true,
        verdict: alarmAt(1),
        durationMs: expect.any(Number),
      },
    }),
  ]);
});

it("the primary's alarm halts, whatever the candidate says", async () => {
  const auditor = shadow(named('primary', alarmAt(1)), named('candidate', fine));
  const { session, of } = auditedRun(auditor.audit, { auditor });
  expect((await session.submit(says('3'))).action).toBe('halt');
  await session.close({ status: 'failed' });
  expect(of('note')).toHaveLength(1);
});

describe.each([
  [
    'throws',
    () => {
      throw new Error('no');
    },
    { kind: 'threw', message: 'no' },
  ],
  [
    'rejects',
    async () => {
      throw new Error('no');
    },
    { kind: 'threw', message: 'no' },
  ],
  ['says nonsense', () => 'fine', { kind: 'invalid', message: expect.stringMatching(/no verdict/) }],
  ['hangs', () => new Promise(() => {}), { kind: 'deadline', message: 'no verdict within 20 ms' }],
])('a candidate that %s', (_, audit, failure) => {
  it('is recorded, and touches neither run nor diagnostics', async () => {
    const { session, of, diagnostics } = shadowed(audit, { onAuditFailure: 'halt' }, 20);
    expect(await session.submit(says('3'))).toEqual(proceeds);
    expect(await session.close({ status: 'completed' })).toEqual(proceeds);
    expect(of('failure')).toEqual([]);
    expect(of('note').map(({ note }) => note)).toEqual([
      expect.objectContaining({ auditor: 'candidate', failure }),
    ]);
    expect(diagnostics).toEqual([]);
  });
});

it('the next step does not wait for the candidate, the end of the run does', async () => {
  const answer = gateway();
  const { session, of, records } = shadowed(() => answer.opened.then(() => fine));
  await session.submit(says('3'));
  await session.submit(says('4'));
  expect(of('verdict')).toHaveLength(2);
  const closed = session.close({ status: 'completed' });
  await settle();
  expect(of('close')).toEqual([]);
  answer.open();
  await closed;
  expect(records.slice(-3).map(({ type }) => type)).toEqual(['note', 'note', 'close']);
});

it('a candidate without end is given up at the end of the run, and that is told', async () => {
  const { session, of, diagnostics } = shadowed(() => new Promise(() => {}), { deadlineMs: 20 });
  await session.submit(says('3'));
  expect(await session.close({ status: 'completed' })).toEqual(proceeds);
  expect([of('note').length, of('close')[0]?.outcome.status]).toEqual([0, 'completed']);
  expect(diagnostics.map(({ code }) => code)).toEqual(['note-late']);
});

it('a candidate that works without pause does so only after the primary has answered', async () => {
  const order: string[] = [];
  const auditor = shadow(
    named('primary', () => {
      order.push('primary');
      return fine;
    }),
    named('candidate', () => {
      order.push('candidate');
      return fine;
    }),
  );
  const { session } = auditedRun(auditor.audit, { auditor });
  await session.submit(says('3'));
  order.push('host goes on');
  await session.close({ status: 'completed' });
  expect(order).toEqual(['primary', 'host goes on', 'candidate']);
});

it("the candidate's calls are recorded with their cost, and spend none of the run's budget", async () => {
  const costly = (_: unknown, { note }: Told) => {
    note(call({ cost: 5 }));
    return fine;
  };
  const { session, of } = shadowed(costly, { budget: { calls: 1, cost: 1, whenSpent: 'halt' } });
  for (const word of ['3', '4']) {
    expect(await session.submit(says(word))).toEqual(proceeds);
    await settle();
  }
  await session.close({ status: 'completed' });
  expect(of('note').flatMap(({ note }) => (note.type === 'call' ? [note] : []))).toEqual([
    call({ auditor: 'candidate', shadow: true, cost: 5 }),
    call({ auditor: 'candidate', shadow: true, cost: 5 }),
  ]);
});

it('two candidates, and two turns, keep their notes apart', async () => {
  const telling = (name: string, tokens: number) =>
    named(name, async ({ prefix }: { prefix: { newest: { content: string } } }, { note }: Told) => {
      // The answers on turn 1 come after those on turn 2.
      await new Promise((resolve) => setTimeout(resolve, prefix.newest.content === 'early' ? 30 : 5));
      note(call({ inputTokens: tokens }));
      return { kind: 'continue', score: tokens / 100 };
    });
  const auditor = shadow(shadow(named('primary', fine), telling('one', 10)), telling('two', 20));
  const { session, of } = auditedRun(auditor.audit, { auditor });
  await session.submit(says('early'));
  await session.submit(says('late'));
  await session.close({ status: 'completed' });
  const told = of('note').map(({ step, note }) => [
    step,
    'auditor' in note && note.auditor,
    note.type === 'call' ? note.inputTokens : note.type === 'opinion' && note.verdict?.score,
  ]);
  expect(told.toSorted()).toEqual([
    [1, 'one', 0.1],
    [1, 'one', 10],
    [1, 'two', 0.2],
    [1, 'two', 20],
    [2, 'one', 0.1],
    [2, 'one', 10],
    [2, 'two', 0.2],
    [2, 'two', 20],
  ]);
});

it("the primary's own notes and deadline are its own", async () => {
  let signals: AbortSignal[] = [];
  const primary = named('primary', (_: unknown, { note, signal }: Told & { signal: AbortSignal }) => {
    signals = [...signals, signal];
    note(call());
    return new Promise(() => {});
  });
  const candidate = named('candidate', async (_: unknown, { signal }: { signal: AbortSignal }) => {
    signals = [...signals, signal];
    await new Promise((resolve) => setTimeout(resolve, 40));
    return alarmAt(1);
  });
  const auditor = shadow(primary, candidate);
  const { session, of } = auditedRun(auditor.audit, { auditor, deadlineMs: 20 });
  await session.submit(says('3'));
  expect(of('failure')[0]?.notes).toEqual([call()]);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(of('note').map(({ note }) => note.type === 'opinion' && note.verdict)).toEqual([alarmAt(1)]);
});

it("the schedule is the primary's; the candidate's own narrows it, but for the last call", async () => {
  const agentsOnly: Schedule = { due: ({ newest }) => newest.kind === 'agent' };
  const solverOnly: Schedule = { due: ({ newest }) => newest.agent === 'solver' };
  const [primary, candidate] = [named('primary', fine, agentsOnly), named('candidate', fine, solverOnly)];
  const auditor = shadow(primary, candidate);
  const { session } = auditedRun(auditor.audit, { auditor, schedule: auditor.schedule as Schedule });
  const asked = async () => {
    await settle();
    return [primary.asked, candidate.asked];
  };
  await session.submit(says('3'));
  expect(await asked()).toEqual([1, 1]);
  await session.submit(says('ok', { agent: 'checker' }));
  expect(await asked()).toEqual([2, 1]);
  await session.submit(says('3', { kind: 'tool', agent: 'checker' }));
  expect(await asked()).toEqual([2, 1]);
  await session.close({ status: 'completed' });
  expect(await asked()).toEqual([3, 2]);
});

it('with a sample rate, whole runs have a candidate or have none', async () => {
  const candidate = named('candidate', fine);
  const auditor = shadow(named('primary', fine), candidate, { sampleRate: 0.3 });
  const asked: number[] = [];
  for (let i = 0; i < 200; i++) {
    candidate.asked = 0;
    const { session } = auditedRun(auditor.audit, { auditor }, { runId: `run ${i}` });
    await session.submit(says('3'));
    await session.submit(says('4'));
    await session.close({ status: 'completed' });
    asked.push(candidate.asked);
  }
  expect(asked.filter((times) => times !== 0 && times !== 2)).toEqual([]);
  expect(asked.filter((times) => times === 2).length / 200).toBeCloseTo(0.3, 1);
});

it('it goes by the name of the primary', () => {
  expect(shadow(named('a', fine), named('b', fine)).name).toBe('a');
});

it.each([
  ['a primary that is none', () => shadow({} as never, named('b', fine))],
  ['a candidate that is none', () => shadow(named('a', fine), undefined as never)],
  ['a deadline of no time', () => shadow(named('a', fine), named('b', fine), { deadlineMs: 0 })],
])('%s is a set-up fault', (_, make) => {
  expect(make).toThrow(SetupError);
});
