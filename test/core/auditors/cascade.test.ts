import { describe, expect, it } from 'vitest';
import { AuditError } from '../../../core/audit-failure.js';
import type { AuditOptions } from '../../../core/auditor.js';
import { cascade } from '../../../core/auditors/cascade.js';
import { SetupError } from '../../../core/errors.js';
import type { Schedule } from '../../../core/schedule.js';
import { alarmAt, auditedRun, says, settle } from '../../support/audited-run.js';
import { askOnce, call, named } from '../../support/opinions.js';

const fine = { kind: 'continue' } as const;
const scored = (score: number) => ({ ...fine, score });
const agentsOnly: Schedule = { due: ({ newest }) => newest.kind === 'agent' };
const never: Schedule = { due: () => false };

describe('a stage', () => {
  it.each([
    ['an alarm settles', [alarmAt(1), fine], {}, alarmAt(1), [1, 0]],
    ['a Continue passes the question on', [fine, scored(0.4)], {}, scored(0.4), [1, 1]],
    ['a Continue that is sure settles', [scored(0.2), fine], { continueBelow: 0.2 }, scored(0.2), [1, 0]],
    ['a Continue that is unsure passes it on', [scored(0.21), fine], { continueBelow: 0.2 }, fine, [1, 1]],
    ['a Continue without a score passes it on', [fine, alarmAt(1)], { continueBelow: 1 }, alarmAt(1), [1, 1]],
    ['one that throws passes it on', [new Error('down'), fine], {}, fine, [1, 1]],
    ['one that says nonsense passes it on', ['fine', alarmAt(0, 'user')], {}, alarmAt(0, 'user'), [1, 1]],
    ['one that blames a stranger passes it on', [alarmAt(1, 'stranger'), fine], {}, fine, [1, 1]],
    [
      "the last one's Continue settles, unsure as it is",
      [fine, scored(0.9)],
      { continueBelow: 0.2 },
      scored(0.9),
      [1, 1],
    ],
  ])('%s', async (_, replies, options, expected, asked) => {
    const stages = replies.map((reply, i) => named(`s${i}`, reply));
    const { verdict, opinions } = await askOnce(cascade(stages, options));
    expect(verdict).toEqual(expected);
    expect(stages.map((stage) => stage.asked)).toEqual(asked);
    expect(opinions().map(({ auditor }) => auditor)).toEqual(asked.flatMap((n, i) => (n ? [`s${i}`] : [])));
  });

  it('that fails last fails the audit, in its own terms, though an earlier one saw nothing', async () => {
    const down = new AuditError('rate-limited', 'too many');
    const { error, opinions } = await askOnce(cascade([named('cheap', fine), named('dear', down)]));
    expect(error).toEqual(new AuditError('rate-limited', 'dear: too many'));
    expect(opinions()).toEqual([
      expect.objectContaining({ auditor: 'cheap', verdict: fine }),
      expect.objectContaining({ auditor: 'dear', failure: { kind: 'rate-limited', message: 'too many' } }),
    ]);
  });

  it('tells of its work under its own name', async () => {
    const dear = named('dear', (_: unknown, { note }: { note: (told: unknown) => void }) => {
      note(call());
      note(Promise.resolve({ type: 'cut', turns: 1, tokens: 2 }));
      return fine;
    });
    const { notes, promised } = await askOnce(
      cascade([named('cheap', fine), cascade([named('mid', fine), dear])]),
    );
    await promised();
    expect(notes.filter(({ type }) => type === 'call')).toEqual([call({ auditor: 'dear' })]);
    expect(notes.filter(({ type }) => type === 'cut')).toEqual([
      { type: 'cut', auditor: 'dear', turns: 1, tokens: 2 },
    ]);
  });

  it('that hangs longer than it may passes the question on, and is told', async () => {
    let signal: AbortSignal | undefined;
    const hanging = named('hanging', (_: unknown, options: { signal: AbortSignal }) => {
      signal = options.signal;
      return new Promise(() => {});
    });
    const { verdict, opinions } = await askOnce(cascade([hanging, named('next', fine)], { deadlineMs: 20 }));
    expect(verdict).toEqual(fine);
    expect(opinions()[0]?.failure).toEqual({ kind: 'deadline', message: 'no verdict within 20 ms' });
    expect(signal?.aborted).toBe(true);
  });

  it.each([
    ['its own where that comes first', 50, 1_000, 50],
    ["the whole's where that does", 1_000, 50, 50],
    ["the whole's where it has none", undefined, 50, 50],
  ])('knows until when its answer is waited for: %s', async (_, own, whole, expected) => {
    let deadlineAt: number | undefined;
    const asked = named('asked', (_request: unknown, options: AuditOptions) => {
      ({ deadlineAt } = options);
      return fine;
    });
    const now = performance.now();
    const options = own === undefined ? {} : { deadlineMs: own };
    await askOnce(cascade([asked, named('b', fine)], options), { deadlineAt: now + whole });
    // Adding to a clock reading and taking it off again may lose the last bit.
    expect((deadlineAt as number) - now).toBeGreaterThan(expected - 0.001);
    expect((deadlineAt as number) - now).toBeLessThan(expected + 200);
  });

  it('is not asked once the deadline of the whole has passed', async () => {
    let signal: AbortSignal | undefined;
    const hanging = named('hanging', (_: unknown, options: { signal: AbortSignal }) => {
      signal = options.signal;
      return new Promise(() => {});
    });
    const next = named('next', fine);
    const auditor = cascade([hanging, next]);
    const { session, of } = auditedRun(auditor.audit, { auditor, deadlineMs: 20 });
    await session.submit(says('3'));
    await settle();
    expect(of('failure').map(({ failure }) => failure.kind)).toEqual(['deadline']);
    expect([signal?.aborted, next.asked]).toEqual([true, 0]);
    // Who kept it waiting is in the log, if only after the fact.
    expect(of('note').map(({ note }) => note)).toEqual([
      expect.objectContaining({
        auditor: 'hanging',
        failure: { kind: 'deadline', message: 'no verdict within 20 ms' },
      }),
    ]);
  });
});

describe('the schedule', () => {
  const replies = (asked: readonly { asked: number }[]) => asked.map((stage) => stage.asked);

  it('asks each stage at the turns of its own, and all of them in the last call', async () => {
    const stages = [named('each', fine), named('agents', fine, agentsOnly)];
    const auditor = cascade(stages);
    const { session, of } = auditedRun(auditor.audit, { auditor, schedule: auditor.schedule as Schedule });
    await session.submit(says('3'));
    expect(replies(stages)).toEqual([1, 1]);
    await session.submit(says('ok', { kind: 'tool' }));
    expect(replies(stages)).toEqual([2, 1]);
    await session.close({ status: 'completed' });
    expect(replies(stages)).toEqual([3, 2]);
    expect(of('verdict').map(({ step }) => step)).toEqual([1, 2, 2]);
  });

  it('has no last call where all were asked about the last turn', async () => {
    const stages = [named('each', fine), named('agents', fine, agentsOnly)];
    const auditor = cascade(stages);
    const { session, of } = auditedRun(auditor.audit, { auditor, schedule: auditor.schedule as Schedule });
    await session.submit(says('3'));
    await session.close({ status: 'completed' });
    expect(of('verdict').map(({ step }) => step)).toEqual([1]);
  });

  it.each(['failed', 'aborted', 'interrupted'] as const)(
    'has no last call where the run %s',
    async (status) => {
      const stages = [named('each', fine), named('agents', fine, agentsOnly)];
      const auditor = cascade(stages);
      const { session } = auditedRun(auditor.audit, { auditor });
      await session.submit(says('ok', { kind: 'tool' }));
      await session.close({ status });
      expect(replies(stages)).toEqual([1, 0]);
    },
  );

  it('has no last call after an alarm, in observe mode either', async () => {
    const stages = [named('each', alarmAt(1)), named('agents', fine, agentsOnly)];
    const auditor = cascade(stages);
    const { session } = auditedRun(auditor.audit, { auditor, onAlarm: 'observe' });
    await session.submit(says('ok', { kind: 'tool' }));
    await session.close({ status: 'completed' });
    expect([...replies(stages), session.unjudgedIds.length]).toEqual([1, 0, 0]);
  });

  it("asks all where the runtime's schedule asks and no stage wants to be", async () => {
    const stages = [named('a', fine, never), named('b', fine, never)];
    const auditor = cascade(stages);
    const { session } = auditedRun(auditor.audit, { auditor });
    await session.submit(says('3'));
    expect(replies(stages)).toEqual([1, 1]);
  });

  it('asks a stage whose schedule throws', async () => {
    const broken: Schedule = {
      due: () => {
        throw new Error('no schedule');
      },
    };
    const stages = [named('a', fine, broken), named('b', fine)];
    const auditor = cascade(stages);
    const { session, of, diagnostics } = auditedRun(auditor.audit, {
      auditor,
      schedule: auditor.schedule as Schedule,
    });
    await session.submit(says('3'));
    expect([of('verdict').length, ...replies(stages)]).toEqual([1, 1, 1]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['schedule-failed']);
  });

  it('of a nested cascade counts as one of its stages', async () => {
    const dear = named('dear', fine, agentsOnly);
    const auditor = cascade([named('cheap', fine), cascade([named('mid', fine), dear])]);
    const { session } = auditedRun(auditor.audit, { auditor });
    await session.submit(says('ok', { kind: 'tool' }));
    expect(dear.asked).toBe(0);
    await session.close({ status: 'completed' });
    expect(dear.asked).toBe(1);
  });
});

it('is named for its stages', () => {
  expect(cascade([named('a', fine), { audit: () => fine }]).name).toBe('cascade(a, auditor)');
});

it.each([
  ['no stage', () => cascade([])],
  ['one stage', () => cascade([named('a', fine)])],
  ['a stage that is no auditor', () => cascade([named('a', fine), {} as never])],
  ['a score above 1', () => cascade([named('a', fine), named('b', fine)], { continueBelow: 2 })],
  ['an unknown option', () => cascade([named('a', fine), named('b', fine)], { continueAbove: 1 } as never)],
])('%s is a set-up fault', (_, make) => {
  expect(make).toThrow(SetupError);
});
