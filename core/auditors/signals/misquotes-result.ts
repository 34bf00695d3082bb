import { isAgentTurn } from '../../reading/speaker.js';
import { folded, spokenText } from '../../reading/spoken-text.js';
import { toolCalls } from '../../reading/tool-calls.js';
import { resultsBefore } from '../../reading/tool-results.js';
import type { Check } from './check.js';
import { isAmong, lastQuantity, quantitiesIn } from './quantities.js';
import { quote, quoteAround } from './quote.js';

/** A longer answer is a page or a listing, from which conclusions are drawn rather than read off. */
const MAX_ANSWER_CHARACTERS = 1_500;

/**
 * A tool answered 2000, and the agent's next words end with 200. An agent that goes on to call a tool is not concluding;
 * a rounding, a percentage or the decimal form of a fraction is a faithful restatement.
 */
export const misquotesResult = {
  name: 'misquotes-result',
  grade: 'strong',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn) || toolCalls(turn).length > 0) return undefined;
    const answer = resultsBefore(prefix, turn.index)
      .map((result) => result.text)
      .join('\n');
    if (answer === '' || answer.length > MAX_ANSWER_CHARACTERS) return undefined;
    const text = spokenText(turn);
    const last = lastQuantity(text);
    if (!last || folded(text) === folded(answer)) return undefined;
    const given = quantitiesIn(answer);
    if (given.length === 0 || isAmong(last, given)) return undefined;
    return {
      step: turn.index,
      agent: turn.agent,
      reason: `Concludes ${quoteAround(text, last.index, last.index + last.raw.length)} right after a tool answered ${quote(answer)}.`,
    };
  },
} as const satisfies Check;
