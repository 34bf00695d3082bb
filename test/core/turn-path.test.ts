import { describe, expect, it } from 'vitest';
import { precedes, samePlace, type TurnPath } from '../../core/turn-path.js';
import { at } from '../support/audited-run.js';

describe('precedes', () => {
  it.each<[string, TurnPath, TurnPath]>([
    ['the trunk, everything', [], [at(3, 'a')]],
    ['everything, a later turn of the trunk', [at(3, 'a')], []],
    ['an earlier step, a later one', [at(1, 'z')], [at(2, 'a')]],
    ['a task, its own next turn', [at(1, 'a')], [at(1, 'a')]],
    ['a child, its container', [at(1, 'a'), at(4, 'x')], [at(1, 'a')]],
    ['a task, what happens within it', [at(1, 'a')], [at(1, 'a'), at(0, 'x')]],
    ['a whole earlier step, a nested later one', [at(1, 'a'), at(9, 'x')], [at(2, 'b'), at(0, 'y')]],
  ])('%s', (_, earlier, later) => {
    expect(precedes(earlier, later)).toBe(true);
  });

  it.each<[string, TurnPath, TurnPath]>([
    ['a later step, an earlier one', [at(2, 'a')], [at(1, 'a')]],
    ['a sibling lane', [at(1, 'a')], [at(1, 'b')]],
    ['a lane within a sibling', [at(1, 'a'), at(0, 'x')], [at(1, 'b'), at(9, 'x')]],
    ['a sibling within the same container', [at(1, 'a'), at(2, 'x')], [at(1, 'a'), at(2, 'y')]],
  ])('not: %s', (_, earlier, later) => {
    expect(precedes(earlier, later)).toBe(false);
  });
});

describe('samePlace', () => {
  it('holds for equal paths and no others', () => {
    const paths: TurnPath[] = [[], [at(1, 'a')], [at(1, 'b')], [at(2, 'a')], [at(1, 'a'), at(1, 'a')]];
    for (const [i, one] of paths.entries()) {
      for (const [j, other] of paths.entries()) expect(samePlace(one, other.slice())).toBe(i === j);
    }
  });
});
