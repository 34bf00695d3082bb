import { isAgentTurn } from '../../reading/speaker.js';
import { spokenText } from '../../reading/spoken-text.js';
import type { Check } from './check.js';
import { lastVerdictBefore } from './last-verdict.js';
import { quote, quoteAround } from './quote.js';

/** A verdict in the tools' own capitals needs no sentence around it. */
const VERDICT = /\b(?:TESTS?_FAILED|VERIFIED_(?:WRONG|INCORRECT)|ANSWER_(?:WRONG|INCORRECT|REJECTED))\b/;

const WORK = String.raw`\b(?:tests?|checks?|code|script|function|execution|verification|implementation|solution)\b`;
const SENTENCE = new RegExp(
  [
    String.raw`${WORK}[^.!?\n]{0,40}\b(?:fail(?:s|ed|ing)?\b(?!-)|is (?:wrong|incorrect)\b)`,
    String.raw`${WORK}[^.!?\n]{0,20}\b(?:appears?|seems?|continues|still)\b[^.!?\n]{0,60}\b(?:issues?|problems?|bugs?|gaps|mis-?handles?)\b`,
    String.raw`${WORK}[^.!?\n]{0,20}\b(?:has|have|contains?)\b[^.!?\n]{0,20}\b(?:issues?|problems?|bugs?)\b`,
  ].join('|'),
  'gi',
);
/** "No tests failed", "if a test fails", "the code would have failed": nothing is claimed. */
const HEDGED =
  /\b(?:no|none|zero|0|if|when|whether|unless|until|before|not|never|without|would|could|previously|earlier|initially|first)\b|n['’]t\b/i;
/** A failure that the same turn reports as overcome. */
const SETTLED =
  /\b(?:now|finally|then) (?:all )?pass(?:es|ed)?\b|\b(?:fixed|resolved|solved)\b|\ball (?:the )?tests? (?:now )?pass(?:ed)?\b/i;

/** "TESTS_FAILED", said right after the tool answered "ALL_TESTS_PASSED". */
export const contradictsPass = {
  name: 'contradicts-pass',
  grade: 'strong',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn)) return undefined;
    const text = spokenText(turn);
    const claim = failureClaimed(text);
    const last = claim ? lastVerdictBefore(prefix, turn.index) : undefined;
    if (!claim || last?.verdict !== 'pass') return undefined;
    return {
      step: turn.index,
      agent: turn.agent,
      reason: `Claims a failure (${quoteAround(text, claim.index, claim.index + claim[0].length)}) although the last tool verdict was a pass (${quote(last.text)}).`,
    };
  },
} as const satisfies Check;

function failureClaimed(text: string): RegExpExecArray | undefined {
  const verdict = VERDICT.exec(text);
  if (verdict) return verdict;
  if (SETTLED.test(text)) return undefined;
  for (const claim of text.matchAll(SENTENCE)) {
    const context = text.slice(Math.max(0, claim.index - 25), claim.index + claim[0].length);
    if (!HEDGED.test(context)) return claim;
  }
  return undefined;
}
