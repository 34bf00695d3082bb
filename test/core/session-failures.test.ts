import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { Auditor } from '../../core/auditor.js';
import type { Decision } from '../../core/gate.js';
import { alarmAt, approve, auditedRun, gateway, says, settle } from '../support/audited-run.js';

const proceeds: Decision = { action: 'proceed' };

/** What an auditor may do wrong at turn 1 of a run whose only speakers are `user` and `solver`. */
const faults: [fault: string, kind: string, message: RegExp, audit: () => unknown][] = [
  ['throws', 'threw', /no credit/, () => throwing(new Error('no credit'))],
  ['throws something that is no error', 'threw', /^42$/, () => throwing(42)],
  ['throws what cannot be printed', 'threw', /cannot be printed/, () => throwing(Object.create(null))],
  ['rejects', 'threw', /no credit/, () => Promise.reject(new Error('no credit'))],
  [
    'rejects with all that it was asked',
    'threw',
    /^too long: x+$/,
    () => Promise.reject(new Error(`too long: ${'x'.repeat(1e6)}`)),
  ],
  ['rejects with nothing', 'threw', /undefined/, () => Promise.reject(undefined)],
  ['hangs', 'deadline', /within 20 ms/, () => new Promise(() => {})],
  ['says a string', 'invalid', /no verdict/, () => 'continue'],
  ['says nothing', 'invalid', /no verdict/, async () => undefined],
  ['says null', 'invalid', /no verdict/, async () => null],
  ['says a list', 'invalid', /no verdict/, async () => [{ kind: 'continue' }]],
  ['says another kind', 'invalid', /kind/, async () => ({ kind: 'maybe' })],
  ['says true', 'invalid', /no verdict/, async () => true],
  ['blames a step to come', 'invalid', /step 2, but the newest turn is step 1/, async () => alarmAt(2)],
  ['blames a negative step', 'invalid', /step/, async () => alarmAt(-1)],
  ['blames half a step', 'invalid', /step/, async () => alarmAt(0.5)],
  ['blames no step', 'invalid', /step/, async () => ({ ...alarmAt(0), step: undefined })],
  ['blames a stranger', 'invalid', /"stranger", which has not spoken/, async () => alarmAt(1, 'stranger')],
  ['blames nobody', 'invalid', /agent/, async () => alarmAt(1, '')],
  ['gives no reason', 'invalid', /reason/, async () => ({ ...alarmAt(1), reason: undefined })],
  ['gives a reason without end', 'invalid', /reason/, async () => alarmAt(1, 'solver', 'so '.repeat(1e5))],
  ['scores NaN', 'invalid', /score/, async () => ({ kind: 'continue', score: Number.NaN })],
  ['scores above 1', 'invalid', /score/, async () => ({ ...alarmAt(1), score: 1.01 })],
  [
    'answers with a trap',
    'threw',
    /trap/,
    async () => Object.defineProperty({}, 'kind', { get: () => throwing(new Error('trap')) }),
  ],
];

function throwing(cause: unknown): never {
  throw cause;
}

describe.each(faults)('an auditor that %s', (_, kind, message, answer) => {
  const audit = answer as Auditor['audit'];

  it('is a failure, once, and never a verdict; the host goes on', async () => {
    const { session, of, diagnostics } = auditedRun(audit, { deadlineMs: 20 });
    expect(await session.submit(says('3'))).toEqual(proceeds);
    expect(of('verdict')).toEqual([]);
    expect(of('failure')).toEqual([
      expect.objectContaining({ turnId: 'turn-1', step: 1, enforced: 'proceed' }),
    ]);
    expect(of('failure')[0]?.failure).toEqual({ kind, message: expect.stringMatching(message) });
    expect(diagnostics).toEqual([expect.objectContaining({ code: `audit-failure-${kind}`, runId: 'run' })]);
  });

  it('halts the run where failures do', async () => {
    const { session, of } = auditedRun(audit, { deadlineMs: 20, onAuditFailure: 'halt' });
    const decision = await session.submit(says('3'));
    expect(decision).toMatchObject({
      action: 'halt',
      halt: { alarm: undefined, runId: 'run', verdicts: [] },
    });
    expect(of('failure').map(({ enforced }) => enforced)).toEqual(['halt']);
    await session.close({ status: 'completed' });
    expect(of('close')[0]?.outcome.status).toBe('halted');
  });
});

describe('the deadline', () => {
  it('is told to the auditor, who need not begin what would take longer', async () => {
    let left = 0;
    const { session } = auditedRun(
      async (_, { deadlineAt = 0 }) => {
        left = deadlineAt - performance.now();
        return { kind: 'continue' };
      },
      { deadlineMs: 5_000 },
    );
    await session.submit(says('3'));
    expect(left).toBeGreaterThan(4_000);
    expect(left).toBeLessThanOrEqual(5_000);
  });

  it('aborts the signal, and an answer after it changes nothing', async () => {
    const late = gateway();
    let signal: AbortSignal | undefined;
    const { session, of } = auditedRun(
      async (_, options) => {
        signal = options.signal;
        await late.opened;
        return alarmAt(1);
      },
      { deadlineMs: 20 },
    );
    await session.submit(says('3'));
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError', message: 'no verdict within 20 ms' });
    late.open();
    await settle();
    expect([of('verdict'), of('failure').length]).toEqual([[], 1]);
    expect(await session.close({ status: 'failed' })).toEqual(proceeds);
  });

  it('lets a rejection after it pass without a trace', async () => {
    const late = gateway();
    const { session, diagnostics } = auditedRun(() => late.opened.then(() => throwing(new Error('late'))), {
      deadlineMs: 20,
    });
    await session.submit(says('3'));
    late.open();
    await settle();
    expect(diagnostics.map(({ code }) => code)).toEqual(['audit-failure-deadline']);
  });

  it('leaves the signal alone when the answer is in time', async () => {
    let signal: AbortSignal | undefined;
    const { session } = auditedRun((_, options) => {
      signal = options.signal;
      return approve();
    });
    await session.submit(says('3'));
    expect(signal?.aborted).toBe(false);
  });
});

describe('around the auditor', () => {
  it('a schedule that throws is reported, and the turn is audited', async () => {
    const schedule = { due: () => throwing(new Error('no schedule')) };
    const { session, of, diagnostics } = auditedRun(approve, { schedule });
    await session.submit(says('3'));
    expect(of('verdict')).toHaveLength(1);
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'schedule-failed', message: 'no schedule' }),
    ]);
  });

  it('a schedule that answers with a promise is recorded as the yes that it is taken for', async () => {
    const schedule = { due: (async () => true) as unknown as () => boolean };
    const { session, of } = auditedRun(approve, { schedule });
    await session.submit(says('3'));
    expect(of('turn').map(({ due }) => due)).toEqual([false, true]);
  });

  it('a diagnostics sink that throws disturbs nobody', async () => {
    const diagnostics = { report: () => throwing(new Error('sink')) };
    const { session, of } = auditedRun(() => throwing(new Error('no credit')), { diagnostics });
    expect(await session.submit(says('3'))).toEqual(proceeds);
    expect(of('failure')).toHaveLength(1);
  });

  it("runs outside the host's async context, before and after its first await", async () => {
    const host = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { session } = auditedRun(async () => {
      seen.push(host.getStore());
      await settle();
      seen.push(host.getStore());
      return { kind: 'continue' };
    });
    await host.run('host', async () => {
      await session.submit(says('3'));
      seen.push(host.getStore());
    });
    expect(seen).toEqual([undefined, undefined, 'host']);
  });
});

it('an auditor whose name cannot be read judges all the same', async () => {
  let isNamed = true;
  const auditor: Auditor = {
    get name() {
      return isNamed ? 'judge' : throwing(new Error('no name'));
    },
    audit: approve,
  };
  const run = auditedRun(approve, { auditor });
  isNamed = false;
  await run.session.submit(says('3'));
  await run.session.close({ status: 'completed' });
  expect(run.records.map(({ type }) => type)).toEqual(['run', 'turn', 'turn', 'verdict', 'close']);
  expect(run.diagnostics).toEqual([
    expect.objectContaining({ code: 'auditor-nameless', message: 'no name' }),
  ]);
  expect(await run.runtime.openSession({ runId: 'next', task: '' }).submit(says('3'))).toEqual(proceeds);
});

it('what an auditor fails with is cut, once secrets are out of it', async () => {
  const key = `sk-${'a1'.repeat(20)}`;
  const { session, of } = auditedRun(() =>
    throwing(new Error(`${'x '.repeat(4_990)}${key} ${'y'.repeat(1e6)}`)),
  );
  await session.submit(says('3'));
  const { message = '' } = of('failure')[0]?.failure ?? {};
  expect(message.length).toBe(10_000);
  expect(message).not.toContain('sk-a1');
});
