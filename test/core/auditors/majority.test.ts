import { describe, expect, it } from 'vitest';
import { AuditError } from '../../../core/audit-failure.js';
import { majority } from '../../../core/auditors/majority.js';
import { SetupError } from '../../../core/errors.js';
import { everyTurn, type Schedule } from '../../../core/schedule.js';
import { alarmAt } from '../../support/audited-run.js';
import { askOnce, call, named } from '../../support/opinions.js';

const fine = { kind: 'continue' } as const;
const down = new AuditError('unavailable', 'down');
const vote = (...replies: unknown[]) => majority(replies.map((reply, i) => named(`v${i}`, reply)));

describe('the verdict', () => {
  it.each([
    ['two of three continue', [fine, alarmAt(1), fine], { ...fine, score: 1 / 3 }],
    ['two of three alarm', [alarmAt(1), fine, alarmAt(1)], { ...alarmAt(1), score: 2 / 3 }],
    [
      'three of five alarm, two fail',
      [alarmAt(1), down, alarmAt(1), down, alarmAt(1)],
      { ...alarmAt(1), score: 1 },
    ],
    [
      'scores are averaged, and a verdict without one counts whole',
      [{ ...alarmAt(1), score: 0.9 }, { ...fine, score: 0.2 }, alarmAt(1)],
      { ...alarmAt(1), score: expect.closeTo(0.7) },
    ],
    [
      'scores of Continues are averaged',
      [
        { ...fine, score: 0.1 },
        { ...fine, score: 0.2 },
      ],
      { ...fine, score: expect.closeTo(0.15) },
    ],
    ['the step most named', [alarmAt(1), alarmAt(0, 'user'), alarmAt(1)], { ...alarmAt(1), score: 1 }],
    [
      'the earliest of steps named as often',
      [alarmAt(1), alarmAt(0, 'user')],
      { ...alarmAt(0, 'user'), score: 1 },
    ],
    [
      'of those at that step, the agent most named, with the first reason given for it',
      [
        alarmAt(1, 'user', 'no'),
        alarmAt(1, 'solver', 'first'),
        alarmAt(0, 'user', 'far'),
        alarmAt(1, 'solver', 'second'),
      ],
      { ...alarmAt(1, 'solver', 'first'), score: 1 },
    ],
  ])('%s', async (_, replies, expected) => {
    expect((await askOnce(vote(...replies))).verdict).toEqual(expected);
  });

  it.each([
    ['an even vote', [fine, alarmAt(1)], 'invalid', 'no majority: 1 alarm, 1 continue, 0 failed'],
    [
      'half of them, the others failing',
      [fine, fine, down, down],
      'unavailable',
      'no majority: 0 alarm, 2 continue, 2 failed; v2: down; v3: down',
    ],
    [
      'the failure that is most frequent',
      [alarmAt(1), new Error('odd'), down, down],
      'unavailable',
      'no majority: 1 alarm, 0 continue, 3 failed; v1: odd; v2: down; v3: down',
    ],
  ])('%s is none', async (_, replies, kind, message) => {
    expect((await askOnce(vote(...replies))).error).toEqual(new AuditError(kind as 'invalid', message));
  });
});

it('asks side by side, and one that throws at once costs no other its notes', async () => {
  const slow = named('slow', async (_: unknown, { note }: { note: (told: unknown) => void }) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    note(call());
    return alarmAt(1);
  });
  const { error, notes, opinions } = await askOnce(majority([named('broken', new Error('no')), slow]));
  expect(error).toBeInstanceOf(AuditError);
  expect(notes.filter(({ type }) => type === 'call')).toEqual([call({ auditor: 'slow' })]);
  expect(opinions().map(({ auditor }) => auditor)).toEqual(['broken', 'slow']);
});

it('one that hangs longer than it may counts as failed', async () => {
  const hanging = named('hanging', () => new Promise(() => {}));
  const auditor = majority([hanging, named('a', fine), named('b', fine)], { deadlineMs: 20 });
  expect((await askOnce(auditor)).verdict).toEqual({ ...fine, score: 0 });
});

it('wants to be asked where more than half do, and then asks all', async () => {
  const never: Schedule = { due: () => false };
  const prefix = {} as never;
  const of = (...schedules: Schedule[]) => majority(schedules.map((schedule) => named('v', fine, schedule)));
  expect(of(everyTurn(), never).schedule?.due(prefix)).toBe(false);
  expect(of(everyTurn(), never, everyTurn()).schedule?.due(prefix)).toBe(true);
  const reluctant = named('reluctant', fine, never);
  await askOnce(majority([reluctant, named('a', fine), named('b', fine)]));
  expect(reluctant.asked).toBe(1);
});

it('fewer than two are a set-up fault', () => {
  expect(() => majority([named('a', fine)])).toThrow(SetupError);
  expect(() => majority([named('a', fine), named('b', fine)], { deadlineMs: 0 })).toThrow(SetupError);
});
