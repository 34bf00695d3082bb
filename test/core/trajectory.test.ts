import { describe, expect, it } from 'vitest';
import type { Prefix } from '../../core/prefix.js';
import { Trajectory, type UnplacedTurn } from '../../core/trajectory.js';
import type { TurnPath } from '../../core/turn-path.js';
import { at } from '../support/audited-run.js';

const turn = (id: string, ...path: TurnPath): UnplacedTurn => ({
  id,
  path,
  agent: 'a',
  kind: 'agent',
  content: '',
  at: 0,
});

const ids = (turns: Iterable<{ readonly id: string }>) => [...turns].map(({ id }) => id).join(' ');

function run(...turns: readonly UnplacedTurn[]): { trajectory: Trajectory; prefixes: Prefix[] } {
  const trajectory = new Trajectory();
  return { trajectory, prefixes: turns.map((each) => trajectory.append(each)) };
}

describe('a straight line', () => {
  it('gives each turn the next index, and each prefix everything before it', () => {
    const { trajectory, prefixes } = run(turn('task'), turn('one'), turn('two'));
    expect(trajectory.turns().map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(prefixes.map(ids)).toEqual(['task', 'task one', 'task one two']);
  });

  it('leaves earlier prefixes as they were when it grows', () => {
    const { trajectory, prefixes } = run(turn('task'), turn('one'));
    for (let more = 0; more < 100; more++) trajectory.append(turn(`more-${more}`));
    expect(prefixes.map(ids)).toEqual(['task', 'task one']);
  });

  it('is whole when it is empty', () => {
    expect(new Trajectory().turns()).toEqual([]);
    expect(new Trajectory().whole().length).toBe(0);
  });
});

describe('side-by-side lanes', () => {
  const lanes = [
    turn('b1', at(1, 'b')),
    turn('a1', at(1, 'a')),
    turn('b2', at(1, 'b')),
    turn('a2', at(1, 'a')),
  ];

  it('stand in the order of their names, not of their arrival', () => {
    expect(ids(run(turn('task'), ...lanes).trajectory.turns())).toBe('task a1 a2 b1 b2');
    expect(ids(run(turn('task'), ...lanes.toReversed()).trajectory.turns())).toBe('task a2 a1 b2 b1');
  });

  it('see no sibling while their step is under way', () => {
    const { prefixes } = run(turn('task'), ...lanes);
    expect(prefixes.map(ids)).toEqual(['task', 'task b1', 'task a1', 'task b1 b2', 'task a1 a2']);
  });

  it('are all seen by what follows their step', () => {
    const { prefixes } = run(turn('task'), ...lanes, turn('join', at(2, 'join')));
    expect(ids(prefixes.at(-1) as Prefix)).toBe('task a1 a2 b1 b2 join');
    expect(prefixes.at(-1)?.newest.index).toBe(5);
  });

  it('are folded by a turn of the trunk too', () => {
    const { prefixes } = run(turn('task'), ...lanes, turn('human'));
    expect(ids(prefixes.at(-1) as Prefix)).toBe('task a1 a2 b1 b2 human');
  });

  it('sort by code unit', () => {
    const named = ['b', 'B', 'é', 'a10', 'a2'].map((lane) => turn(lane, at(1, lane)));
    expect(ids(run(...named).trajectory.turns())).toBe('B a10 a2 b é');
  });

  it('keep the prefixes of a lane when folding renumbers it', () => {
    const { trajectory, prefixes } = run(turn('task'), ...lanes);
    trajectory.append(turn('join', at(2, 'join')));
    expect(prefixes[3]?.at(2)).toMatchObject({ id: 'b2', index: 2 });
    expect(trajectory.turns()[4]).toMatchObject({ id: 'b2', index: 4 });
  });
});

describe('nested lanes', () => {
  it('fold into their container, which speaks after them', () => {
    const { trajectory, prefixes } = run(
      turn('task'),
      turn('other', at(1, 'z')),
      turn('inner-b', at(1, 'team'), at(1, 'b')),
      turn('inner-a', at(1, 'team'), at(1, 'a')),
      turn('later', at(1, 'team'), at(2, 'a')),
      turn('team', at(1, 'team')),
    );
    expect(prefixes.map(ids)).toEqual([
      'task',
      'task other',
      'task inner-b',
      'task inner-a',
      'task inner-a inner-b later',
      'task inner-a inner-b later team',
    ]);
    expect(ids(trajectory.turns())).toBe('task inner-a inner-b later team other');
  });

  it('count a step number that runs backwards as the current one', () => {
    const { trajectory } = run(turn('five', at(5, 'b')), turn('three', at(3, 'a')), turn('six', at(6, 'a')));
    expect(ids(trajectory.turns())).toBe('three five six');
  });
});

it('takes 100,000 turns in linear time, in a line and in lanes', () => {
  const fill = (turns: number, pathOf: (step: number) => TurnPath): number => {
    const trajectory = new Trajectory();
    const started = performance.now();
    for (let step = 0; step < turns; step++) trajectory.append(turn(`${step}`, ...pathOf(step))).at(-1);
    expect(trajectory.turns()).toHaveLength(turns);
    return performance.now() - started;
  };
  const line = () => [];
  const lanes = (step: number) => [at(Math.floor(step / 8), `lane-${step % 4}`), at(step % 2, 'inner')];
  for (const pathOf of [line, lanes]) {
    fill(10_000, pathOf);
    const small = Math.max(fill(10_000, pathOf), 5);
    expect(fill(100_000, pathOf)).toBeLessThan(small * 60);
  }
});
