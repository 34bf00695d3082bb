import { describe, expect, it } from 'vitest';
import { AuditError, type AuditFailureKind, auditFailureSchema } from '../../core/audit-failure.js';
import type { AuditNote } from '../../core/audit-note.js';
import type { AuditOptions } from '../../core/auditor.js';
import { alarmAt, approve, auditedRun, gateway, says, settle } from '../support/audited-run.js';
import { call } from '../support/opinions.js';

const secret = `sk-${'a1B2'.repeat(8)}`;
const fine = { kind: 'continue' } as const;

/** Tells these notes, and then says Continue. */
const telling =
  (...notes: unknown[]) =>
  (_: unknown, { note }: AuditOptions) => {
    for (const told of notes) note?.(told as AuditNote);
    return fine;
  };

describe('what an auditor tells of its work', () => {
  it('stands in the record of its verdict, in order', async () => {
    const notes = [
      call(),
      { type: 'cut', turns: 3, tokens: 400 },
      { type: 'opinion', auditor: 'other', verdict: alarmAt(1), durationMs: 3 },
    ];
    const { session, of, diagnostics } = auditedRun(telling(...notes));
    await session.submit(says('3'));
    expect(of('verdict')[0]?.notes).toEqual(notes);
    expect([of('note'), diagnostics]).toEqual([[], []]);
  });

  it('stands in the record of a failure too', async () => {
    const { session, of } = auditedRun((_, { note }) => {
      note?.(call({ failed: 'unavailable' }));
      throw new AuditError('unavailable', 'no route');
    });
    await session.submit(says('3'));
    expect(of('failure')[0]?.notes).toEqual([call({ failed: 'unavailable' })]);
  });

  it('leaves no trace in the record where it is nothing', async () => {
    const { session, of } = auditedRun(approve);
    await session.submit(says('3'));
    expect('notes' in JSON.parse(JSON.stringify(of('verdict')[0]))).toBe(false);
  });

  it('is a copy: what the auditor changes afterwards changes no record', async () => {
    const told = { ...call() };
    const { session, of } = auditedRun(telling(told));
    await session.submit(says('3'));
    Object.assign(told, { model: 'another' });
    expect(of('verdict')[0]?.notes).toEqual([call()]);
  });

  it.each([
    ['nothing', undefined, /note: /],
    ['another type', { type: 'thought' }, /type: /],
    ['negative tokens', call({ inputTokens: -1 }), /inputTokens: /],
    ['no duration', { ...call(), durationMs: undefined }, /durationMs: /],
    [
      'an opinion that is none',
      { type: 'opinion', auditor: 'a', verdict: { kind: 'maybe' }, durationMs: 1 },
      /verdict/,
    ],
    [
      'a trap',
      Object.defineProperty({}, 'type', {
        get: () => {
          throw new Error('trap');
        },
      }),
      /trap/,
    ],
    [
      'a trap for those who wait',
      Object.defineProperty({}, 'then', {
        get: () => {
          throw new Error('trap');
        },
      }),
      /trap/,
    ],
  ])('is reported and not recorded where it is %s; the verdict stands', async (_, bad, message) => {
    const { session, of, diagnostics } = auditedRun(telling(bad, call()));
    await session.submit(says('3'));
    expect(of('verdict').map(({ verdict, notes }) => [verdict, notes])).toEqual([[fine, [call()]]]);
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'bad-note', runId: 'run', message: expect.stringMatching(message) }),
    ]);
  });

  it('has secrets taken out of what others failed with', async () => {
    const opinion: AuditNote = {
      type: 'opinion',
      auditor: 'other',
      failure: { kind: 'auth', message: `the key ${secret} is unknown` },
      durationMs: 1,
    };
    const { session, records } = auditedRun(
      telling(
        opinion,
        Promise.resolve(opinion),
        settle().then(() => opinion),
      ),
    );
    await session.submit(says('3'));
    await session.close({ status: 'completed' });
    const told = JSON.stringify(records);
    expect(told.match(/is unknown/g)).toHaveLength(3);
    expect(told).not.toContain(secret);
  });
});

describe('a note that is promised', () => {
  it('is recorded when it is there, with the turn that it is about; the host goes on meanwhile', async () => {
    const late = gateway();
    const { session, of, records } = auditedRun(({ prefix }, { note }) => {
      if (prefix.length === 2) note?.(late.opened.then(() => call()));
      return fine;
    });
    await session.submit(says('3'));
    await session.submit(says('4'));
    expect(of('note')).toEqual([]);
    late.open();
    await settle();
    expect(of('note')).toEqual([
      { type: 'note', v: 1, runId: 'run', at: expect.any(Number), turnId: 'turn-1', step: 1, note: call() },
    ]);
    await session.close({ status: 'completed' });
    expect(records.at(-1)?.type).toBe('close');
  });

  it('is waited for at the end of the run', async () => {
    const late = gateway();
    const { session, records } = auditedRun(telling(late.opened.then(() => call())));
    await session.submit(says('3'));
    const closed = session.close({ status: 'completed' });
    await settle();
    expect(records.at(-1)?.type).toBe('verdict');
    late.open();
    await closed;
    expect(records.slice(-2).map(({ type }) => type)).toEqual(['note', 'close']);
  });

  it('is waited for, too, where it is promised while the run waits for another', async () => {
    const [first, second] = [gateway(), gateway()];
    const { session, of } = auditedRun((_, { note }) => {
      note?.(
        first.opened.then(() => {
          note(second.opened.then(() => call({ purpose: 'vote' })));
          return call();
        }),
      );
      return fine;
    });
    await session.submit(says('3'));
    const closed = session.close({ status: 'completed' });
    await settle();
    first.open();
    await settle();
    second.open();
    await closed;
    expect(of('note').map(({ note }) => note)).toEqual([call(), call({ purpose: 'vote' })]);
  });

  it('is waited for no longer than the deadline; what comes after the close is dropped', async () => {
    const late = gateway();
    const { session, records, diagnostics } = auditedRun(telling(late.opened.then(() => call())), {
      deadlineMs: 20,
    });
    await session.submit(says('3'));
    await session.close({ status: 'completed' });
    late.open();
    await settle();
    expect(records.at(-1)?.type).toBe('close');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'note-late', runId: 'run' })]);
  });

  it('that is broken is reported', async () => {
    const { session, of, diagnostics } = auditedRun(telling(Promise.reject(new Error('no answer'))));
    await session.submit(says('3'));
    await session.close({ status: 'completed' });
    expect(of('note')).toEqual([]);
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'note-failed', message: 'no answer' })]);
  });

  it('may be one of another library', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
    const thenable = { then: (resolve: (told: unknown) => void) => setImmediate(() => resolve(call())) };
    const { session, of, diagnostics } = auditedRun(telling(thenable));
    await session.submit(says('3'));
    await session.close({ status: 'completed' });
    expect([of('note').map(({ note }) => note), diagnostics]).toEqual([[call()], []]);
  });
});

it('what is told after the deadline of an audit is recorded all the same, until the close', async () => {
  const late = gateway();
  const { session, of } = auditedRun(
    async (_, { note }) => {
      await late.opened;
      note?.(call());
      return fine;
    },
    { deadlineMs: 20 },
  );
  await session.submit(says('3'));
  expect(of('failure').map(({ failure }) => failure.kind)).toEqual(['deadline']);
  late.open();
  await settle();
  expect(of('note').map(({ step, note }) => [step, note])).toEqual([[1, call()]]);
  await session.close({ status: 'completed' });
});

describe('an audit that fails in its own terms', () => {
  it.each(auditFailureSchema.shape.kind.options)('%s, is recorded so', async (kind: AuditFailureKind) => {
    const { session, of, diagnostics } = auditedRun(async () => {
      throw new AuditError(kind, 'why');
    });
    expect(await session.submit(says('3'))).toEqual({ action: 'proceed' });
    expect(of('failure')[0]?.failure).toEqual({ kind, message: 'why' });
    expect(diagnostics.map(({ code }) => code)).toEqual([`audit-failure-${kind}`]);
  });

  it('of which there are none, is recorded as one that threw: the log stays readable', async () => {
    const { session, of } = auditedRun(async () => {
      throw new AuditError('tired' as AuditFailureKind, 'why');
    });
    await session.submit(says('3'));
    expect(of('failure')[0]?.failure).toEqual({ kind: 'threw', message: 'why' });
  });

  it.each(['auth', 'unavailable'] as const)('%s, halts a strict run', async (kind) => {
    const { session } = auditedRun(
      async () => {
        throw new AuditError(kind, 'why');
      },
      { onAuditFailure: 'halt' },
    );
    expect(await session.submit(says('3'))).toMatchObject({
      action: 'halt',
      halt: { failure: { failure: { kind } } },
    });
  });
});
