import { describe, expect, it } from 'vitest';
import type { ModelCall } from '../../core/audit-note.js';
import type { AuditOptions, AuditRequest } from '../../core/auditor.js';
import type { Budget } from '../../core/budget.js';
import { SetupError } from '../../core/errors.js';
import { createRuntime, type RuntimeOptions } from '../../core/runtime.js';
import { at, auditedRun, gateway, says, settle } from '../support/audited-run.js';
import { call } from '../support/opinions.js';

const proceeds = { action: 'proceed' };

/** A run in which every audit makes such a call. */
const spending = (budget: Budget, more: Partial<ModelCall> = {}, options: Partial<RuntimeOptions> = {}) => {
  const asked: number[] = [];
  const audit = ({ prefix }: AuditRequest, { note }: AuditOptions) => {
    asked.push(prefix.length - 1);
    note?.(call(more));
    return { kind: 'continue' } as const;
  };
  return { asked, ...auditedRun(audit, { budget, ...options }) };
};

describe('a budget', () => {
  it.each<[string, Budget, Partial<ModelCall>, number, string]>([
    ['of calls', { calls: 2, whenSpent: 'proceed' }, {}, 2, '2 of 2 model calls are spent'],
    [
      'of calls, whatever they were retried',
      { calls: 2, whenSpent: 'proceed' },
      { attempts: 5 },
      2,
      '2 of 2 model calls are spent',
    ],
    [
      'of tokens, cached ones included',
      { tokens: 250, whenSpent: 'proceed' },
      { cachedInputTokens: 80 },
      3,
      '300 of 250 tokens are spent',
    ],
    ['of money', { cost: 0.3, whenSpent: 'proceed' }, { cost: 0.1 }, 3, '0.3 of 0.3 in money is spent'],
    [
      'of more than one kind, whichever is reached first',
      { calls: 9, tokens: 100, whenSpent: 'proceed' },
      {},
      1,
      '100 of 100 tokens are spent',
    ],
  ])('%s is looked at before each audit', async (_, budget, each, audits, message) => {
    const { session, asked, of } = spending(budget, each);
    for (const word of ['1', '2', '3', '4']) expect(await session.submit(says(word))).toEqual(proceeds);
    expect(asked).toHaveLength(audits);
    expect(of('failure')).toHaveLength(4 - audits);
    expect(of('failure')[0]).toMatchObject({
      step: audits + 1,
      failure: { kind: 'budget', message },
      enforced: 'proceed',
    });
  });

  it('that is spent is recorded at every turn and told once', async () => {
    const { session, of, diagnostics } = spending({ calls: 1, whenSpent: 'proceed' });
    for (const word of ['1', '2', '3', '4']) await session.submit(says(word));
    expect(of('failure')).toHaveLength(3);
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'audit-failure-budget', runId: 'run' })]);
  });

  it('that says halt halts, with the reason, though failures may pass', async () => {
    const { session, of } = spending({ calls: 1, whenSpent: 'halt' }, {}, { onAuditFailure: 'proceed' });
    await session.submit(says('1'));
    const decision = await session.submit(says('2'));
    expect(decision).toMatchObject({
      action: 'halt',
      halt: { failure: { step: 2, failure: { kind: 'budget', message: '1 of 1 model calls are spent' } } },
    });
    await session.close({ status: 'failed' });
    expect([of('failure')[0]?.enforced, of('close')[0]?.outcome.status]).toEqual(['halt', 'halted']);
  });

  it('that says proceed lets a run go on where other failures would halt it', async () => {
    const { session } = spending({ calls: 1, whenSpent: 'proceed' }, {}, { onAuditFailure: 'halt' });
    await session.submit(says('1'));
    expect(await session.submit(says('2'))).toEqual(proceeds);
  });

  it('holds for one run: another has its own', async () => {
    const auditor = {
      audit: (_: AuditRequest, { note }: AuditOptions) => {
        note?.(call());
        return { kind: 'continue' } as const;
      },
    };
    const { runtime, of } = auditedRun(auditor.audit, { auditor, budget: { calls: 1, whenSpent: 'halt' } });
    for (const runId of ['a', 'b'])
      expect(await runtime.openSession({ runId, task: '' }).submit(says('1'))).toEqual(proceeds);
    expect(of('failure')).toEqual([]);
  });

  it('is exceeded by what is under way: side-by-side branches are asked before either has spent', async () => {
    const answer = gateway();
    const { session, of } = auditedRun(
      async (_, { note }) => {
        await answer.opened;
        note?.(call());
        return { kind: 'continue' };
      },
      { budget: { calls: 1, whenSpent: 'proceed' } },
    );
    const lanes = ['a', 'b'].map((lane) => session.submit(says(lane, { path: [at(1, lane)] })));
    await settle();
    answer.open();
    await Promise.all(lanes);
    expect(of('verdict')).toHaveLength(2);
    await session.submit(says('join'));
    expect(of('failure').map(({ failure }) => failure.message)).toEqual(['2 of 1 model calls are spent']);
  });

  it('counts a call that is told after its audit has run out of time, once', async () => {
    const late = gateway();
    const { session, of } = auditedRun(
      async (_, { note }) => {
        await late.opened;
        note?.(call());
        return { kind: 'continue' };
      },
      { deadlineMs: 20, budget: { calls: 1, whenSpent: 'proceed' } },
    );
    await session.submit(says('1'));
    late.open();
    await settle();
    await session.submit(says('2'));
    expect(of('failure').map(({ failure }) => [failure.kind, failure.message])).toEqual([
      ['deadline', 'no verdict within 20 ms'],
      ['budget', '1 of 1 model calls are spent'],
    ]);
  });

  it.each<[string, Budget, Partial<ModelCall>, RegExp]>([
    [
      'tokens',
      { tokens: 100, whenSpent: 'halt' },
      { inputTokens: undefined, outputTokens: undefined },
      /no usage/,
    ],
    ['cost', { cost: 1, whenSpent: 'halt' }, {}, /want of prices or usage/],
  ])('of %s that calls do not tell is no limit, and that is told once', async (limit, budget, more, why) => {
    const { session, asked, diagnostics } = spending(budget, more);
    for (const word of ['1', '2', '3']) expect(await session.submit(says(word))).toEqual(proceeds);
    expect(asked).toHaveLength(3);
    expect(diagnostics).toEqual([
      { code: 'budget-unmetered', runId: 'run', message: expect.stringMatching(why) },
    ]);
    expect(diagnostics[0]?.message).toContain(`the budget's ${limit}`);
  });

  it.each<[string, Budget, Partial<ModelCall>]>([
    ['of calls', { calls: 9, whenSpent: 'halt' }, { inputTokens: undefined, outputTokens: undefined }],
    ['of tokens, whatever is free', { tokens: 900, whenSpent: 'halt' }, { cost: undefined }],
    ['of money, for calls at no price', { cost: 1, whenSpent: 'halt' }, { cost: 0 }],
    [
      'of tokens, for calls that came to nothing',
      { tokens: 900, whenSpent: 'halt' },
      { inputTokens: undefined, outputTokens: undefined, failed: 'unavailable' },
    ],
  ])('%s has nothing to tell', async (_, budget, more) => {
    const { session, diagnostics } = spending(budget, more);
    await session.submit(says('1'));
    expect(diagnostics).toEqual([]);
  });

  it('spent at the end forbids the last call', async () => {
    const { session, of } = spending(
      { calls: 1, whenSpent: 'halt' },
      {},
      {
        schedule: { due: ({ newest }) => newest.kind === 'agent' },
      },
    );
    await session.submit(says('1'));
    await session.submit(says('ok', { kind: 'tool' }));
    expect((await session.close({ status: 'completed' })).action).toBe('halt');
    expect(of('close')[0]?.outcome.status).toBe('halted');
  });
});

it.each([
  [{ whenSpent: 'halt' }, /sets no limit/],
  [{ calls: 1 }, /budget\.whenSpent/],
  [{ calls: 0, whenSpent: 'halt' }, /budget\.calls/],
  [{ cost: -1, whenSpent: 'halt' }, /budget\.cost/],
  [{ calls: 1, whenSpent: 'halt', turns: 2 }, /turns/],
])('%j is a set-up fault', (budget, message) => {
  const make = () => createRuntime({ budget: budget as Budget });
  expect(make).toThrow(SetupError);
  expect(make).toThrow(message);
});
