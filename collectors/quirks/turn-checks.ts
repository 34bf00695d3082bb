import type { TurnInput } from '../../core/index.js';
import type { RunCheck } from './check.js';

/** Above this stand dumped web pages and files (up to 88k in Who&When); the longest turn of AFTraj has 4,584. */
const LONG_TURN_CHARACTERS = 20_000;

export const emptyTurn: RunCheck = {
  code: 'empty-turn',
  *find({ turns }) {
    for (const [step, { agent, content, thought, toolCalls }] of turns.entries()) {
      if (content.trim() === '' && !thought && !toolCalls?.length) {
        yield { step, detail: `"${agent}" says nothing` };
      }
    }
  },
};

export const repeatedTurn: RunCheck = {
  code: 'repeated-turn',
  *find({ turns }) {
    for (const [step, turn] of turns.entries()) {
      const previous = turns[step - 1];
      if (previous && saysTheSame(turn, previous)) {
        yield { step, detail: `"${turn.agent}" repeats what "${previous.agent}" said one turn before` };
      }
    }
  },
};

export const longTurn: RunCheck = {
  code: 'long-turn',
  *find({ turns }) {
    for (const [step, { content }] of turns.entries()) {
      if (content.length > LONG_TURN_CHARACTERS) yield { step, detail: `${content.length} characters` };
    }
  },
};

/**
 * Ten files of Who&When were run on an error message (`exitcode: 1 …`) in place of their question; AFTraj cuts turn 0 of
 * 49 agentic runs short.
 */
export const taskNotInFirstTurn: RunCheck = {
  code: 'task-not-in-first-turn',
  *find({ task, turns: [first] }) {
    if (first && !folded(first.content).includes(folded(task))) {
      yield { step: 0, detail: 'turn 0 does not hold the whole task' };
    }
  },
};

function folded(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function saysTheSame(one: TurnInput, other: TurnInput): boolean {
  return (
    one.content.trim() !== '' &&
    one.content === other.content &&
    JSON.stringify(one.toolCalls) === JSON.stringify(other.toolCalls)
  );
}
