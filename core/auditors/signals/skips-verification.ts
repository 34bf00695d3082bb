import { isAgentTurn } from '../../reading/speaker.js';
import { thoughtAndText } from '../../reading/spoken-text.js';
import type { Check } from './check.js';
import { quoteAround } from './quote.js';

/** Verification as an act, and as a colleague: `verification`, `CodeTester`. */
const ACT = String.raw`(?:verification|validation|(?:re|double)-?\s?check(?:s|ing)?|test(?:s|ing)|reviews?|reviewing|verifying|validating)`;
const COLLEAGUE = String.raw`\w{0,30}(?:tester|verifier|reviewer)`;
const CHECKING = `(?:${ACT}|${COLLEAGUE})`;
/** Up to five words that do not open another thought: "tests show that the loop is unnecessary" leaves no test out. */
const BETWEEN = String.raw`(?:(?!(?:that|which|when|while|if|and|but|shows?|showed|confirms?|confirmed|found)\b)[\w'’-]{1,40},?\s){0,5}`;
const QUALITY = String.raw`(?:(?:any|further|additional|more|extra|independent|external|separate|formal|the|a)\s){0,3}`;
const NEGATED = String.raw`(?<!\b(?:not|never|cannot|avoid|\w{1,10}n['’]t)\s(?:be\s|to\s)?)`;

/** Every distance is bounded, so that the cost stays linear in the text. */
const SKIPS = new RegExp(
  [
    String.raw`${NEGATED}\b(?:skip(?:ping|ped|s)?|bypass(?:ing|ed|es)?|omit(?:ting|ted|s)?)\s${BETWEEN}${CHECKING}\b`,
    String.raw`\bno (?:need|reason) (?:to (?:verify|validate|test|review|(?:re|double)-?\s?check|involve|(?:run|do|perform) ${QUALITY}${ACT})|for ${BETWEEN}${CHECKING})\b`,
    String.raw`\bwithout (?:${QUALITY}${ACT}|(?:handing|passing|sending|involving|consulting|asking|waiting)\s${BETWEEN}${CHECKING})\b`,
    String.raw`\b${CHECKING}\s${BETWEEN}(?:(?:is|are|was|be|being)\s(?:\w{1,12}\s)?)?(?:redundant|unnecessary|superfluous|(?:not|\w{1,8}n['’]t)\s(?:\w{1,12}\s)?(?:needed|necessary|required)|can be skipped|adds? (?:little|nothing))\b`,
  ].join('|'),
  'i',
);

/** "No need for additional verification", thought or said: the step that would have caught a mistake is left out. */
export const skipsVerification = {
  name: 'skips-verification',
  grade: 'strong',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn)) return undefined;
    const text = thoughtAndText(turn);
    const match = SKIPS.exec(text);
    if (!match) return undefined;
    return {
      step: turn.index,
      agent: turn.agent,
      reason: `Leaves verification out: ${quoteAround(text, match.index, match.index + match[0].length)}.`,
    };
  },
} as const satisfies Check;
