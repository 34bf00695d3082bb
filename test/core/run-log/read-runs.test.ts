import { describe, expect, it } from 'vitest';
import type { InputError } from '../../../core/errors.js';
import type { ReadOptions } from '../../../core/run-log/read-records.js';
import { type LoggedRun, readRuns } from '../../../core/run-log/read-runs.js';
import { alarmAt, approve, at, auditedRun, says } from '../../support/audited-run.js';
import { call } from '../../support/opinions.js';
import {
  closeRecord,
  failureRecord,
  noteRecord,
  recoveryRecord,
  runRecord,
  turnRecord,
  verdictRecord,
} from '../../support/records.js';
import { logFile } from '../../support/temporary-folder.js';

const read = (file: string, options?: ReadOptions) => Array.fromAsync(readRuns(file, options));
const ids = ({ turns }: LoggedRun) => turns.map(({ id }) => id).join(' ');

describe('a run', () => {
  it('reads back as its session left it', async () => {
    const { session, records } = auditedRun(({ prefix }) =>
      prefix.newest.content === 'b' ? alarmAt(1) : approve(),
    );
    await session.submit(says('a2', { path: [at(1, 'z')] }));
    await session.submit(says('a1', { path: [at(1, 'a')] }));
    await session.submit(says('b', { path: [at(2, 'join')] }));
    await session.close({ status: 'completed' });
    const [run, ...others] = await read(logFile(...records));
    expect(others).toEqual([]);
    expect(run?.turns).toEqual(JSON.parse(JSON.stringify(session.turns())));
    expect(run?.verdicts.map(({ verdict }) => verdict.kind)).toEqual(['continue', 'continue', 'alarm']);
    expect(run?.outcome).toEqual({ status: 'halted' });
    expect(run?.turns.filter(({ id }) => run.due.has(id)).map(({ content }) => content)).toEqual([
      'a1',
      'a2',
      'b',
    ]);
    expect(run?.run).toMatchObject({ runId: 'run', task: 'Sum 1 and 2.' });
  });

  it('says so when turns of it are missing, by their own numbers or because a verdict is about one', async () => {
    const { session, records } = auditedRun(approve);
    for (const words of ['a', 'b', 'c']) await session.submit(says(words));
    await session.close({ status: 'completed' });
    const isTurn = (index: number) => (record: (typeof records)[number]) =>
      record.type === 'turn' && record.turn.index === index;
    const without = async (index: number) =>
      (await read(logFile(...records.filter((record) => !isTurn(index)(record)))))[0];
    expect((await read(logFile(...records)))[0]?.incomplete).toBe(false);
    expect((await without(2))?.incomplete).toBe(true);
    expect((await without(3))?.incomplete).toBe(true);
  });

  it('keeps its failures apart from its verdicts', async () => {
    const [run] = await read(
      logFile(runRecord('a'), turnRecord('a', '1'), failureRecord('a', '1'), closeRecord('a')),
    );
    expect([run?.verdicts.length, run?.failures.length]).toEqual([0, 1]);
  });

  it('keeps the notes that came after their verdicts, with their turns', async () => {
    const opinion = {
      type: 'opinion',
      auditor: 'b',
      shadow: true,
      verdict: alarmAt(0),
      durationMs: 1,
    } as const;
    const log = (turnId: string) =>
      logFile(
        runRecord('a'),
        turnRecord('a', '1'),
        { ...verdictRecord('a', '1'), notes: [call()] },
        noteRecord('a', turnId, opinion),
        closeRecord('a'),
      );
    const [run] = await read(log('1'));
    expect(run?.verdicts.map(({ notes }) => notes)).toEqual([[call()]]);
    expect(run?.notes).toEqual([noteRecord('a', '1', opinion)]);
    expect(run?.incomplete).toBe(false);
    expect((await read(log('2')))[0]?.incomplete).toBe(true);
  });

  it('that was cut off comes at the end, without an outcome', async () => {
    const runs = await read(
      logFile(runRecord('cut'), turnRecord('cut', '1'), runRecord('b'), closeRecord('b')),
    );
    expect(runs.map(({ run, line, outcome }) => [run.runId, line, outcome?.status])).toEqual([
      ['b', 3, 'completed'],
      ['cut', 1, undefined],
    ]);
  });

  it('survives a crash of the process that shared its file', async () => {
    const file = logFile(
      runRecord('a'),
      turnRecord('a', '1'),
      '{"type":"tu',
      recoveryRecord,
      runRecord('b'),
      closeRecord('b'),
    );
    expect((await read(file)).map(({ run }) => run.runId)).toEqual(['b', 'a']);
  });
});

describe('runs that share a log', () => {
  it('are told apart however they interleave, each handed over at its close', async () => {
    const file = logFile(
      runRecord('a'),
      runRecord('b'),
      turnRecord('b', 'b1'),
      turnRecord('a', 'a1'),
      verdictRecord('b', 'b1'),
      turnRecord('b', 'b2'),
      closeRecord('b', 'failed'),
      turnRecord('a', 'a2'),
      closeRecord('a'),
    );
    const runs = await read(file);
    expect(runs.map(ids)).toEqual(['b1 b2', 'a1 a2']);
    expect(runs.map(({ verdicts }) => verdicts.length)).toEqual([1, 0]);
  });

  it('and an id are two runs, one after the other', async () => {
    const once = [runRecord('a'), turnRecord('a', '1'), closeRecord('a')];
    const again = [runRecord('a'), turnRecord('a', '2'), closeRecord('a')];
    expect((await read(logFile(...once, ...again))).map(ids)).toEqual(['1', '2']);
  });

  it('and an id are two runs when the first was cut off', async () => {
    const file = logFile(
      runRecord('a'),
      turnRecord('a', '1'),
      runRecord('a'),
      turnRecord('a', '1'),
      closeRecord('a'),
    );
    const runs = await read(file);
    expect(runs.map(({ line, outcome }) => [line, outcome?.status])).toEqual([
      [1, undefined],
      [3, 'completed'],
    ]);
  });
});

describe('a run that continues another', () => {
  const first = [runRecord('a'), turnRecord('a', '1'), turnRecord('a', '2', { path: [at(1, 'x')] })];
  const next = [runRecord('b', { continues: 'a' }), turnRecord('b', '3'), closeRecord('b')];

  it.each([
    ['halted', [...first, closeRecord('a', 'halted')]],
    ['interrupted', [...first, closeRecord('a', 'interrupted')]],
    ['cut off', first],
  ])('begins with its turns, as given ones: %s', async (_, before) => {
    const run = (await read(logFile(...before, ...next))).find(({ run }) => run.runId === 'b');
    expect(run?.turns.map(({ id, given, index }) => [id, given, index])).toEqual([
      ['1', true, 0],
      ['2', true, 1],
      ['3', undefined, 2],
    ]);
  });

  it('that went back begins without what going back has undone', async () => {
    const again = runRecord('b', { continues: 'a', recoveries: 1, undone: ['2'] });
    const file = logFile(
      ...first,
      closeRecord('a', 'halted'),
      again,
      turnRecord('b', '3', { index: 1 }),
      closeRecord('b'),
    );
    const run = (await read(file)).find(({ run }) => run.runId === 'b');
    expect(run && ids(run)).toBe('1 3');
    expect(run?.incomplete).toBe(false);
  });

  it.each<[boolean | undefined, boolean | undefined, boolean | undefined]>([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [undefined, true, undefined],
    [true, undefined, undefined],
    [false, undefined, false],
    [undefined, undefined, undefined],
  ])('has no more consent than both: %s and %s make %s', async (earlier, later, both) => {
    const file = logFile(
      runRecord('a', { consent: earlier }),
      closeRecord('a', 'halted'),
      runRecord('b', { continues: 'a', consent: later }),
      closeRecord('b'),
    );
    const [a, b] = await read(file);
    expect([a?.consent, b?.consent]).toEqual([earlier, both]);
  });

  it('supersedes it', async () => {
    const runs = await read(logFile(...first, closeRecord('a', 'halted'), ...next));
    expect(runs.map(({ supersededBy }) => supersededBy)).toEqual(['b', undefined]);
  });

  it('that is not in the log is warned of', async () => {
    const warnings: string[] = [];
    const file = logFile(...next);
    const [run] = await read(file, { onWarning: (warning) => warnings.push(warning) });
    expect(run && ids(run)).toBe('3');
    expect(warnings).toEqual([`${file}:1: run b continues a, whose turns are not in this log`]);
  });
});

it('a turn that stands twice counts once, with a warning', async () => {
  const warnings: string[] = [];
  const file = logFile(
    runRecord('a'),
    turnRecord('a', '1'),
    turnRecord('a', '1', { content: 'other' }),
    closeRecord('a'),
  );
  const [run] = await read(file, { onWarning: (warning) => warnings.push(warning) });
  expect(run?.turns.map(({ content }) => content)).toEqual(['1']);
  expect(warnings).toEqual([`${file}:3: turn 1 of run a stands twice; the first counts`]);
});

it('a record of a run that was never opened is refused, or skipped on demand', async () => {
  const file = logFile(runRecord('a'), turnRecord('b', '1'), closeRecord('a'));
  await expect(read(file)).rejects.toThrow(
    `${file}:2 (runId): a turn of run b, which this log never opened or has closed. Pass the whole log`,
  );
  const bad: InputError[] = [];
  expect(await read(file, { onBadLine: (error) => bad.push(error) })).toHaveLength(1);
  expect(bad.map(({ location }) => location.line)).toEqual([2]);
});
