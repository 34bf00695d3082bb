import { isEmptyTurn, repeatedTurn } from '../../reading/repeats.js';
import { isAgentTurn } from '../../reading/speaker.js';
import { thoughtAndText } from '../../reading/spoken-text.js';
import { toolCalls } from '../../reading/tool-calls.js';
import type { Check } from './check.js';
import { quote } from './quote.js';

/** The same agent says or calls the same thing again: harmless once, a loop when it goes on. */
export const exactRepetition = {
  name: 'exact-repetition',
  grade: 'observation',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn) || isEmptyTurn(turn)) return undefined;
    const earlier = repeatedTurn(prefix, turn);
    if (!earlier) return undefined;
    const said = thoughtAndText(turn).trim() || JSON.stringify(toolCalls(turn)[0]?.args ?? '');
    return {
      step: turn.index,
      agent: turn.agent,
      reason: `Repeats its step ${earlier.index} word for word: ${quote(said)}.`,
    };
  },
} as const satisfies Check;
