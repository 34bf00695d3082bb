import { spokenText } from '../../reading/spoken-text.js';
import { argumentText, toolCalls } from '../../reading/tool-calls.js';
import type { Turn } from '../../turn.js';

/** `FINAL ANSWER: 42`, `ANSWER_VERIFIED: 42`, `FINAL_VERIFIED_TESTS_PASSED`. */
const IN_WORDS = /\b(?:FINAL[ _]ANSWER|ANSWER_VERIFIED|FINAL_VERIFIED\w{0,40})\b[\s:*]{0,5}([^\n]{0,200})/i;
/** `final_answer("42")`, alone in a call or at the end of code. */
const IN_CODE = /\bfinal_answer\(\s{0,5}([^\n]{0,200})/;

/** What a turn gives as the run's final answer, up to the end of its line. */
export function finalClaim(turn: Turn): string | undefined {
  for (const { name, args } of toolCalls(turn)) {
    const text = argumentText(args);
    if (name === 'final_answer') return text.slice(0, 200);
    const inCode = IN_CODE.exec(text.slice(-4_000));
    if (inCode) return inCode[1] ?? '';
  }
  const inWords = IN_WORDS.exec(spokenText(turn));
  return inWords ? (inWords[1] ?? '') : undefined;
}
