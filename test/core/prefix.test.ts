import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Prefix, TurnIndex } from '../../core/prefix.js';
import { Trajectory } from '../../core/trajectory.js';
import type { Turn } from '../../core/turn.js';
import { arrivals, causalPasts, choices, type Task, tasks } from '../support/branching-run.js';

interface Walked {
  readonly trajectory: Trajectory;
  readonly prefixes: ReadonlyMap<string, Prefix>;
}

function walk(task: Task, seed: number): Walked {
  const trajectory = new Trajectory();
  const prefixes = new Map(arrivals(task, choices(seed)).map((turn) => [turn.id, trajectory.append(turn)]));
  return { trajectory, prefixes };
}

const ids = (turns: Iterable<Turn>) => [...turns].map(({ id }) => id);
const everyRun = fc.record({ task: tasks, seed: fc.integer() });

describe('whatever the order of arrival', () => {
  it('the run is the same in the end', () => {
    fc.assert(
      fc.property(everyRun, ({ task, seed }) => {
        const { trajectory } = walk(task, seed);
        expect(ids(trajectory.turns())).toEqual(causalPasts(task).get('whole'));
        expect(ids(trajectory.whole())).toEqual(ids(trajectory.turns()));
      }),
      { numRuns: 500 },
    );
  });

  it("each prefix is its newest turn's causal past, even when read after the run", () => {
    fc.assert(
      fc.property(everyRun, ({ task, seed }) => {
        const pasts = causalPasts(task);
        for (const [id, prefix] of walk(task, seed).prefixes) {
          expect(ids(prefix)).toEqual(pasts.get(id));
          expect(prefix.newest.id).toBe(id);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('turn i of every prefix has index i', () => {
    fc.assert(
      fc.property(everyRun, ({ task, seed }) => {
        const { trajectory, prefixes } = walk(task, seed);
        for (const prefix of [...prefixes.values(), trajectory.whole()]) {
          for (let step = 0; step < prefix.length; step++) {
            expect(prefix.at(step)?.index).toBe(step);
            expect(prefix.at(step - prefix.length)).toBe(prefix.at(step));
          }
        }
        expect(trajectory.turns().every(({ index }, step) => index === step)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('an index finds what a scan finds', () => {
    // Files every turn under its word twice and under its neighbour in the alphabet, as an index may.
    const index: TurnIndex = { keys: ({ content }) => [content, content, content === 'x' ? 'y' : 'x'] };
    fc.assert(
      fc.property(everyRun, fc.nat(12), ({ task, seed }, before) => {
        for (const prefix of walk(task, seed).prefixes.values()) {
          const turns = [...prefix];
          for (const key of ['x', 'y', 'z', 'none']) {
            const hits = turns.filter((turn) => [...index.keys(turn)].includes(key));
            expect(prefix.first(index, key)).toBe(hits.at(0));
            expect(prefix.last(index, key)).toBe(hits.at(-1));
            expect(prefix.last(index, key, before)).toBe(hits.filter((turn) => turn.index < before).at(-1));
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a prefix', () => {
  const turn = (id: string) => ({ id, path: [], agent: 'a', kind: 'agent' as const, content: id, at: 0 });

  it('ends where it ends', () => {
    const trajectory = new Trajectory();
    const prefix = trajectory.append(turn('one'));
    trajectory.append(turn('two'));
    expect([prefix.at(1), prefix.at(-2), prefix.length]).toEqual([undefined, undefined, 1]);
  });

  it('does not find through an index what came after it', () => {
    const byContent: TurnIndex = { keys: ({ content }) => [content] };
    const trajectory = new Trajectory();
    const early = trajectory.append(turn('one'));
    const late = trajectory.append(turn('two'));
    expect(late.first(byContent, 'two')?.index).toBe(1);
    expect(early.first(byContent, 'two')).toBeUndefined();
    expect(early.last(byContent, 'two')).toBeUndefined();
  });

  it('files each turn of a long run once, however often it is asked', () => {
    let filed = 0;
    const counting: TurnIndex = {
      keys: ({ content }) => {
        filed++;
        return [content];
      },
    };
    const trajectory = new Trajectory();
    for (let step = 0; step < 5_000; step++) {
      const prefix = trajectory.append(turn(`${step % 7}`));
      expect(prefix.last(counting, '3', prefix.length - 1)?.index ?? -1).toBeLessThan(step);
    }
    expect(filed).toBe(5_000);
  });
});

it('counts turns in their place as reading the whole prefix does, asked early or late', () => {
  // Says a word that its own past does not hold.
  const isNew = (past: Iterable<Turn>, turn: Turn) => {
    for (const other of past) if (other.index < turn.index && other.content === turn.content) return false;
    return true;
  };
  fc.assert(
    fc.property(everyRun, fc.boolean(), ({ task, seed }, early) => {
      const question = { counts: isNew };
      const trajectory = new Trajectory();
      const prefixes = arrivals(task, choices(seed)).map((turn) => {
        const prefix = trajectory.append(turn);
        if (early) prefix.count(question);
        return prefix;
      });
      for (const prefix of [...prefixes, trajectory.whole()]) {
        const turns = [...prefix];
        expect(prefix.count(question)).toBe(turns.filter((turn) => isNew(turns, turn)).length);
      }
    }),
    { numRuns: 500 },
  );
});

it('puts the question to every turn of a straight run once, however often it is asked', () => {
  let asked = 0;
  const question = { counts: () => Boolean(++asked) };
  const trajectory = new Trajectory();
  for (let i = 0; i < 1_000; i++) {
    const prefix = trajectory.append({ id: `${i}`, agent: 'a', kind: 'agent', content: '', path: [], at: 0 });
    expect([prefix.count(question), prefix.count(question)]).toEqual([i + 1, i + 1]);
  }
  expect(asked).toBe(1_000);
});
