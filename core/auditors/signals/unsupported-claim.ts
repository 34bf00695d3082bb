import type { TurnIndex } from '../../prefix.js';
import { isAgentTurn } from '../../reading/speaker.js';
import { toolResults } from '../../reading/tool-results.js';
import type { Check } from './check.js';
import { finalClaim } from './final-claim.js';
import { lastVerdictBefore } from './last-verdict.js';
import { quote } from './quote.js';

const WORD = /[\p{L}\p{N}]{1,60}/gu;
/** A result of more words than this counts as having said anything. */
const MAX_WORDS_FILED = 20_000;
const EVERYTHING = '';

const resultsByWord: TurnIndex = {
  *keys(turn) {
    let filed = 0;
    for (const { text } of toolResults(turn)) {
      for (const [word] of text.matchAll(WORD)) {
        if (++filed > MAX_WORDS_FILED) return yield EVERYTHING;
        yield word.toLowerCase();
      }
    }
  },
};

/**
 * A final answer with words that no tool ever returned, and no passing verdict either. Useless as an alarm: a sound run
 * may answer in its own words.
 */
export const unsupportedClaim = {
  name: 'unsupported-claim',
  grade: 'useless',
  find(prefix) {
    const turn = prefix.newest;
    const claim = isAgentTurn(turn) ? finalClaim(turn) : undefined;
    if (claim === undefined || prefix.first(resultsByWord, EVERYTHING)) return undefined;
    const words = claim.toLowerCase().match(WORD) ?? [];
    if (words.length === 0 || words.every((word) => prefix.first(resultsByWord, word))) return undefined;
    if (lastVerdictBefore(prefix, turn.index)?.verdict === 'pass') return undefined;
    return {
      step: turn.index,
      agent: turn.agent,
      reason: `Gives a final answer that no tool result supports: ${quote(claim)}.`,
    };
  },
} as const satisfies Check;
