import fc from 'fast-check';
import type { UnplacedTurn } from '../../core/trajectory.js';
import type { TurnPath } from '../../core/turn-path.js';

/** What a task does, in order: it says a word, or it runs one step of side-by-side lanes. */
export type Task = readonly (string | Lanes)[];

export interface Lanes {
  readonly [lane: string]: Task;
}

const words = fc.constantFrom('x', 'y', 'z');

/** Random trees of steps and lanes. Few words and lane names, so that they meet often. */
export const tasks: fc.Arbitrary<Task> = fc.letrec<{ task: Task; lanes: Lanes }>((tie) => ({
  task: fc.array(fc.oneof({ depthSize: 'small' }, words, tie('lanes')), { maxLength: 4 }),
  lanes: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('task'), {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  }),
})).task;

/** The turns of a task in one of the orders in which they can arrive; `pick(n)` chooses among n lanes. */
export function arrivals(task: Task, pick: (choices: number) => number, path: TurnPath = []): UnplacedTurn[] {
  return task.flatMap((item, step) => {
    if (typeof item === 'string') return [spoken(item, step, path)];
    const lanes = Object.entries(item).map(([lane, inner]) =>
      arrivals(inner, pick, [...path, { step, lane }]),
    );
    return merged(lanes, pick);
  });
}

/** The causal past of every turn, itself included, by turn id; and the whole run under `"whole"`. By the definition. */
export function causalPasts(task: Task): Map<string, readonly string[]> {
  const pasts = new Map<string, readonly string[]>();
  const walk = (part: Task, path: TurnPath, before: readonly string[]): readonly string[] => {
    let past = before;
    for (const [step, item] of part.entries()) {
      if (typeof item === 'string') {
        const { id } = spoken(item, step, path);
        past = [...past, id];
        pasts.set(id, past);
      } else {
        const start = past;
        for (const lane of Object.keys(item).sort()) {
          const ended = walk(item[lane] ?? [], [...path, { step, lane }], start);
          past = [...past, ...ended.slice(start.length)];
        }
      }
    }
    return past;
  };
  pasts.set('whole', walk(task, [], []));
  return pasts;
}

/** A small generator of repeatable choices (mulberry32). */
export function choices(seed: number): (choices: number) => number {
  let state = seed;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

function spoken(word: string, step: number, path: TurnPath): UnplacedTurn {
  const place = path.map((segment) => `${segment.step}${segment.lane}/`).join('');
  return { id: `${place}${step}`, path, agent: word, kind: 'agent', content: word, at: 0 };
}

function merged<Item>(lists: readonly Item[][], pick: (choices: number) => number): Item[] {
  const waiting = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const out: Item[] = [];
  while (waiting.length > 0) {
    const chosen = pick(waiting.length);
    out.push(waiting[chosen]?.shift() as Item);
    if (waiting[chosen]?.length === 0) waiting.splice(chosen, 1);
  }
  return out;
}
