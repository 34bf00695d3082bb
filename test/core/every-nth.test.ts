import { describe, expect, it } from 'vitest';
import { SetupError } from '../../core/errors.js';
import { everyNth } from '../../core/every-nth.js';
import { portableSchedule } from '../../core/portable-schedule.js';
import { Trajectory } from '../../core/trajectory.js';
import { answers, calls, prefixes, type Spoken, says, user } from './auditors/signals-support.js';

const dueAt = (n: number, turns: readonly Spoken[]) => {
  const schedule = everyNth(n);
  return prefixes(turns).flatMap((prefix, i) => (schedule.due(prefix) ? [i] : []));
};

describe('of the turns that the portable schedule asks about', () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
  const spoken = words.map((word) => says('solver', word));

  it.each([
    [1, [1, 2, 3, 4, 5, 6, 7]],
    [2, [1, 3, 5, 7]],
    [3, [1, 4, 7]],
    [9, [1]],
  ])('the first and every %i-th after it', (n, expected) => {
    expect(dueAt(n, [user('Count.'), ...spoken])).toEqual(expected);
  });

  it('echoes, repeats and tool turns are none, and do not count', () => {
    // Every other agent turn only says what the tool said: counted, they would be all that is asked about.
    const turns = [1, 2, 3, 4].flatMap((i) => [
      calls('solver', 'add', { i }),
      answers('add', `sum ${i}`),
      says('solver', `sum ${i}`),
    ]);
    expect(dueAt(1, [user('Sum.'), ...turns])).toEqual([1, 4, 7, 10]);
    expect(dueAt(2, [user('Sum.'), ...turns])).toEqual([1, 7]);
  });

  it('with n = 1 it is the portable schedule', () => {
    const portable = portableSchedule();
    const turns = [
      user('Go.'),
      says('a', 'x'),
      says('a', 'x'),
      answers('t', 'y'),
      says('b', 'y'),
      says('b', 'z'),
    ];
    expect(dueAt(1, turns)).toEqual(
      prefixes(turns).flatMap((prefix, i) => (portable.due(prefix) ? [i] : [])),
    );
  });
});

it('one object serves several runs at once, and asks the same again', () => {
  const schedule = everyNth(2);
  const runs = ['a', 'b'].map((agent) => prefixes([1, 2, 3, 4].map((i) => says(agent, `word ${i}`))));
  const asked = [0, 1, 2, 3].map((i) => runs.map((run) => schedule.due(run[i] as never)));
  expect(asked).toEqual([
    [true, true],
    [false, false],
    [true, true],
    [false, false],
  ]);
  expect(schedule.due(runs[0]?.[2] as never)).toBe(true);
});

it('a side-by-side branch counts its own past, whatever its sibling does', () => {
  const schedule = everyNth(2);
  const trajectory = new Trajectory();
  const said = (id: string, lane?: string) =>
    trajectory.append({
      id,
      agent: lane ?? 'boss',
      kind: 'agent',
      content: id,
      at: 0,
      path: lane === undefined ? [] : [{ step: 1, lane }],
    });
  const prefixesInOrder = [
    said('task'),
    said('a1', 'a'),
    said('b1', 'b'),
    said('b2', 'b'),
    said('a2', 'a'),
    said('end'),
  ];
  // The end has task, a1, a2, b1, b2 before it: it is the sixth.
  expect(prefixesInOrder.map((prefix) => schedule.due(prefix))).toEqual([
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
});

it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('everyNth(%s) is a set-up fault', (n) => {
  expect(() => everyNth(n)).toThrow(SetupError);
});
