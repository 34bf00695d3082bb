import { endsOf } from '../../reading/ends-of.js';
import { isAgentTurn } from '../../reading/speaker.js';
import { thoughtAndText } from '../../reading/spoken-text.js';
import { argumentText, toolCalls } from '../../reading/tool-calls.js';
import type { Turn } from '../../turn.js';
import type { Check } from './check.js';
import { quoteAround } from './quote.js';

const SIMULATES =
  /\b(?:assum(?:e[sd]?|ing)|simulat(?:e[sd]?|ing)|mock(?:ed|ing|s)?|dummy|placeholder|hypothetical|made-up|for demonstration)\b/i;
const CODE =
  /```|^\s{0,20}(?:def \w+\(|import \w+|from \w[\w.]* import |function \w+\(|(?:const|let) \w+ = )/m;

const READ_AT_EACH_END = 16_000;

/** Code together with "assume", "simulate" or "mock": the numbers it prints may be the agent's own. */
export const simulatedCode = {
  name: 'simulated-code',
  grade: 'observation',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn)) return undefined;
    const text = withArguments(turn);
    const match = CODE.test(text) ? SIMULATES.exec(text) : null;
    if (!match) return undefined;
    return {
      step: turn.index,
      agent: turn.agent,
      reason: `Writes code on made-up ground: ${quoteAround(text, match.index, match.index + match[0].length)}.`,
    };
  },
} as const satisfies Check;

function withArguments(turn: Turn): string {
  const args = toolCalls(turn).map((call) => endsOf(argumentText(call.args), READ_AT_EACH_END));
  return [thoughtAndText(turn), ...args].join('\n');
}
