import { describe, expect, it } from 'vitest';
import type { AuditRequest } from '../../core/auditor.js';
import { auditRecordSchema } from '../../core/record.js';
import type { RunInfo } from '../../core/run-info.js';
import { DEFAULT_MAX_TURN_BYTES, type TurnInput } from '../../core/turn.js';
import { approve, at, auditedRun, says } from '../support/audited-run.js';

const contents = (turns: Iterable<{ readonly content: string }>) => [...turns].map(({ content }) => content);

describe('a turn', () => {
  it('is completed: index, id, the trunk, the time of day', async () => {
    const before = Date.now();
    const { session } = auditedRun(approve);
    await session.submit(says('3'));
    const [, turn] = session.turns();
    expect(turn).toMatchObject({ index: 1, id: 'turn-1', path: [], agent: 'solver', content: '3' });
    expect(turn?.at).toBeGreaterThanOrEqual(before);
  });

  it('keeps what the plugin said of it', async () => {
    const { session, of } = auditedRun(approve);
    const more = {
      id: 'a',
      at: 7,
      path: [at(1, 'x')],
      durationMs: 3,
      usage: { inputTokens: 10 },
      isError: true,
    };
    await session.submit(says('3', more));
    expect(of('turn')[1]?.turn).toMatchObject(more);
  });

  it('counts once by its id: recorded once, judged once, and the first one stands', async () => {
    const { session, of } = auditedRun(approve);
    await Promise.all([session.submit(says('3', { id: 'x' })), session.submit(says('4', { id: 'x' }))]);
    expect(await session.submit(says('5', { id: 'x' }))).toEqual({ action: 'proceed' });
    expect(contents(session.turns())).toEqual(['Sum 1 and 2.', '3']);
    expect([of('turn').length, of('verdict').length]).toEqual([2, 1]);
  });

  it('with another’s id and other words is reported, not lost in silence', async () => {
    const { session, diagnostics } = auditedRun(approve);
    await session.submit(says('3', { id: 'x' }));
    await session.submit(says('3', { id: 'x' }));
    expect(diagnostics).toEqual([]);
    await session.submit(says('4', { id: 'x' }));
    expect(diagnostics.map(({ code }) => code)).toEqual(['turn-id-taken']);
  });

  it('larger than readers take without being asked to is kept whole, and reported', async () => {
    const { session, of, diagnostics } = auditedRun(approve);
    await session.submit(says('y'.repeat(DEFAULT_MAX_TURN_BYTES + 1)));
    expect(of('turn')[1]?.turn.content).toHaveLength(DEFAULT_MAX_TURN_BYTES + 1);
    expect(diagnostics.map(({ code }) => code)).toEqual(['large-turn']);
  });

  it('without an id is not taken for another that has the next id for its own', async () => {
    const { session } = auditedRun(approve);
    await session.submit(says('3', { id: 'turn-2' }));
    await session.submit(says('4'));
    expect(contents(session.turns())).toEqual(['Sum 1 and 2.', '3', '4']);
  });
});

describe('something that is no turn', () => {
  const trap = Object.defineProperty({}, 'id', {
    get: () => {
      throw new Error('trap');
    },
    enumerable: true,
  });
  const garbage: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['text', 'hello'],
    ['a turn without words', { agent: 'solver', kind: 'agent' }],
    ['an unknown kind', says('3', { kind: 'robot' as TurnInput['kind'] })],
    ['an empty id', says('3', { id: '' })],
    ['a NaN for a time', says('3', { at: Number.NaN })],
    ['a path backwards', says('3', { path: [at(-1, 'x')] })],
    ['a call without arguments', says('3', { toolCalls: [{ id: '1', name: 'add' } as never] })],
    ['a trap', trap],
  ];

  it.each(garbage)('%s is kept, and counts as a failed audit', async (_, input) => {
    const { session, of, diagnostics } = auditedRun(approve);
    expect(await session.submit(input as TurnInput)).toEqual({ action: 'proceed' });
    const [, turn] = session.turns();
    expect(turn).toMatchObject({ index: 1, agent: 'unknown', kind: 'state' });
    expect(of('failure')).toEqual([
      expect.objectContaining({ turnId: turn?.id, step: 1, enforced: 'proceed' }),
    ]);
    expect(of('failure')[0]?.failure).toMatchObject({
      kind: 'turn',
      message: expect.stringContaining('no turn'),
    });
    expect(of('verdict')).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['audit-failure-turn']);
    for (const record of of('turn')) expect(auditRecordSchema.safeParse(record).error).toBeUndefined();
  });

  it('keeps its readable parts, and its place among parallel lanes', async () => {
    const { session } = auditedRun(approve);
    await session.submit(says('b', { path: [at(1, 'b')] }));
    await session.submit({ ...says('x', { path: [at(1, 'c')] }), kind: 'robot' } as unknown as TurnInput);
    await session.submit(says('a', { path: [at(1, 'a')] }));
    const turns = session.turns();
    expect(turns.map(({ path }) => path[0]?.lane)).toEqual([undefined, 'a', 'b', 'c']);
    expect(JSON.parse(turns[3]?.content ?? '')).toMatchObject({ content: 'x', kind: 'robot' });
  });

  it('halts where failures do', async () => {
    const { session } = auditedRun(approve, { onAuditFailure: 'halt' });
    expect((await session.submit({} as TurnInput)).action).toBe('halt');
  });
});

describe('what was there before the run', () => {
  const seen: string[][] = [];
  const watch = ({ prefix }: AuditRequest) => {
    seen.push(contents(prefix));
    return approve();
  };

  it('is the task, unless turns are given', async () => {
    seen.length = 0;
    const given = [says('Hello.', { kind: 'user', agent: 'user' }), says('Hi.')];
    const { session, of } = auditedRun(watch, {}, { given });
    await session.submit(says('3'));
    expect(seen).toEqual([['Hello.', 'Hi.', '3']]);
    expect(of('turn').map(({ due, turn }) => [due, turn.given])).toEqual([
      [false, true],
      [false, true],
      [true, undefined],
    ]);
  });

  it('is the continued run, which stands in the log under its own id', async () => {
    seen.length = 0;
    const earlier = auditedRun(approve);
    await earlier.session.submit(says('I add.', { path: [at(1, 'a')] }));
    const continues = { runId: 'run', turns: earlier.session.turns() };
    const word = says('Go on.', { kind: 'user', agent: 'user' });
    const { session, of } = auditedRun(watch, {}, { runId: 'next', continues, given: [word] });
    await session.submit(says('3'));
    expect(seen).toEqual([['Sum 1 and 2.', 'I add.', 'Go on.', '3']]);
    expect(of('run')[0]?.continues).toBe('run');
    expect(contents(of('turn').map(({ turn }) => turn))).toEqual(['Go on.', '3']);
    expect(session.turns().map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  });

  it('is no task when a run continues another', () => {
    const continues = { runId: 'earlier', turns: [] };
    expect(auditedRun(approve, {}, { continues }).session.turns()).toEqual([]);
  });
});

describe('run info that makes no sense', () => {
  const trap = new Proxy({} as RunInfo, {
    get: () => {
      throw new Error('trap');
    },
  });
  it.each([
    ['nothing', undefined, ''],
    ['a number for an id', { runId: 7, task: 'Sum.' }, 'Sum.'],
    ['an empty id', { runId: '', task: 'Sum.' }, 'Sum.'],
    ['no task', { runId: 'run' }, ''],
    ['tools without names', { runId: 'run', task: 'Sum.', tools: [{}] }, 'Sum.'],
    ['given turns that are none', { runId: 'run', task: 'Sum.', given: ['hello'] }, 'Sum.'],
    ['a trap', trap, ''],
  ])('%s is reported and replaced as far as needed', async (_, info, task) => {
    const { runtime, diagnostics, of } = auditedRun(approve);
    const session = runtime.openSession(info as RunInfo);
    expect(session.runId).toMatch(/\S/);
    expect(await session.submit(says('3'))).toEqual({ action: 'proceed' });
    expect(of('run').at(-1)).toMatchObject({ runId: session.runId, task });
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'bad-run-info', runId: session.runId })]);
  });
});
