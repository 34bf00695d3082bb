import { randomNumbers } from '../../../collectors/probe/random-numbers.js';
import type { Sample, SampleTurn } from '../../../collectors/sample.js';

const WORDS = 'the sum of all parts is known so we take half and ask again for what is left to do'.split(' ');

/** What is done to the turn of the decisive error. */
type Plant = (turn: SampleTurn) => SampleTurn;

/**
 * Runs of random words in random order, half of them unsafe, each of a task of its own; the error stands at a random step,
 * so that only a planted leak can tell it.
 */
export function labelledCorpus(count: number, plant: Plant = (turn) => turn): readonly Sample[] {
  const random = randomNumbers(7);
  const below = (end: number) => Math.floor(random() * end);
  const words = () => Array.from({ length: 5 + below(20) }, () => WORDS[below(WORDS.length)]).join(' ');
  return Array.from({ length: count }, (_, number) => {
    const task = `task number ${number.toString(2)}`;
    const turns: SampleTurn[] = [
      { agent: 'user', kind: 'user', content: task },
      ...Array.from({ length: 5 + below(5) }, () => ({
        agent: ['Solver', 'Checker'][below(2)] as string,
        kind: 'agent' as const,
        content: words(),
      })),
    ];
    const step = 1 + below(turns.length - 1);
    const error = turns[step] as SampleTurn;
    const isUnsafe = number % 2 === 1;
    if (isUnsafe) turns[step] = plant(error);
    return {
      id: `run-${number}`,
      task,
      domain: number % 4 < 2 ? 'math' : 'coding',
      tools: [],
      turns,
      label: isUnsafe
        ? { kind: 'unsafe', step, agent: error.agent, source: number % 8 < 4 ? 'injected' : 'natural' }
        : { kind: 'safe' },
      provenance: { format: 'made', source: 'here' },
    };
  });
}
