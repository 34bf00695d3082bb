import { isAgentTurn } from '../../reading/speaker.js';
import { spokenText } from '../../reading/spoken-text.js';
import type { Check } from './check.js';
import { numbersIn } from './numbers.js';
import { quoteAround } from './quote.js';
import { firstTurnWith } from './seen-numbers.js';

/** Counts, list numbers and the like come from nowhere in particular. */
const SMALLEST = 13;
const MAX_NUMBERS_LOOKED_UP = 500;

/** A number in an agent's words that stands in no earlier turn. Worked out or made up: the reader has to say which. */
export const unseenNumber = {
  name: 'unseen-number',
  grade: 'observation',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn)) return undefined;
    const text = spokenText(turn);
    let lookedUp = 0;
    for (const { key, raw, index } of numbersIn(text)) {
      if (Number(key) < SMALLEST && Number.isInteger(Number(key))) continue;
      if (++lookedUp > MAX_NUMBERS_LOOKED_UP) return undefined;
      if (firstTurnWith(prefix, key, turn.index)) continue;
      return {
        step: turn.index,
        agent: turn.agent,
        reason: `Brings in a number that no earlier turn holds: ${quoteAround(text, index, index + raw.length)}.`,
      };
    }
    return undefined;
  },
} as const satisfies Check;
