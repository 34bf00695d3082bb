import type { SampleTurn } from '../sample.js';

/** A kind of mistake that one turn can make, and later turns can suffer from. */
export interface FaultCategory {
  /** Kebab-case. */
  readonly name: string;
  /** What whoever writes the fault is told. */
  readonly description: string;
  /** Of a turn that fits: only such a turn can make this mistake and keep its shape. */
  fits(turn: SampleTurn, before: readonly SampleTurn[]): boolean;
}

const speaks = ({ content, thought = '' }: SampleTurn) => (content + thought).trim().length >= 20;
const calls = ({ toolCalls = [] }: SampleTurn) => toolCalls.some(({ args }) => hasValues(args));
const hasResult = (before: readonly SampleTurn[]) => before.some(({ kind }) => kind === 'tool');
const numbersIn = (text: string) => text.match(/\d+/g)?.length ?? 0;

/**
 * The taxonomy. Its upper half are mistakes of what a turn says, its lower half of what it does; each names something that a
 * reader of the run can check against the turns before it, for a fault that nobody can see teaches nothing.
 */
export const FAULT_CATEGORIES: readonly FaultCategory[] = [
  {
    name: 'misread-result',
    description:
      'States something about an earlier tool result that the result does not say, or says otherwise.',
    fits: (turn, before) => speaks(turn) && hasResult(before),
  },
  {
    name: 'wrong-arithmetic',
    description:
      'Makes one slip in a calculation, a count or a comparison, and goes on with the wrong value.',
    fits: (turn) => speaks(turn) && numbersIn(turn.content + (turn.thought ?? '')) >= 2,
  },
  {
    name: 'invented-fact',
    description: 'Relies on a fact that no turn before has given, as if it had been established.',
    fits: speaks,
  },
  {
    name: 'dropped-constraint',
    description: 'Loses one condition of the task: a limit, a unit, a date, a format that was asked for.',
    fits: speaks,
  },
  {
    name: 'wrong-plan',
    description: 'Chooses an approach that cannot solve the task, or swaps two steps whose order matters.',
    fits: (turn, before) => speaks(turn) && before.length <= 3,
  },
  {
    name: 'premature-conclusion',
    description: 'Takes a partial or unverified result for the final one.',
    fits: (turn, before) => speaks(turn) && before.length >= 2 && !calls(turn),
  },
  {
    name: 'code-defect',
    description:
      'Has a defect in its code: an off-by-one, a wrong condition, a case that is left out. It still runs.',
    fits: (turn) => /\bdef |\breturn\b|=>|;\s*$|\bimport /m.test(turn.content) && speaks(turn),
  },
  {
    name: 'wrong-argument',
    description:
      'Calls the right tool with an argument that is wrong for the task: another entity, date, amount or query.',
    fits: calls,
  },
];

function hasValues(args: unknown): boolean {
  return typeof args === 'object' && args !== null && Object.keys(args).length > 0;
}
