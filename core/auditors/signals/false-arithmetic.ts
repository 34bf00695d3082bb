import { isAgentTurn } from '../../reading/speaker.js';
import { thoughtAndText } from '../../reading/spoken-text.js';
import type { Check } from './check.js';
import { quote } from './quote.js';

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,12})?`;
const OPERATOR = String.raw`\s?(?:[-+*/×·÷−]|\\times|\\cdot)\s?`;
/** Stands alone: what precedes or follows could belong to the expression, and then the equality is another one. */
const EQUALITY = new RegExp(
  String.raw`(?<![\w.,^%]|[-)\]}+*/×·÷=<>−]\s?|\\\w{1,12}\s?)(${NUMBER}(?:${OPERATOR}${NUMBER}){1,8})\s?=\s?(-?${NUMBER})(?![\w,.]?\d|[A-Za-z]|\s?(?:[-+*/×·÷−^%!(]|\\times|\\cdot))`,
  'g',
);

/** "17 * 24 = 418": a plain sum that does not come out. Rounding to the digits written is allowed for. */
export const falseArithmetic = {
  name: 'false-arithmetic',
  grade: 'weak',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn)) return undefined;
    for (const [equality, left = '', right = ''] of thoughtAndText(turn).matchAll(EQUALITY)) {
      if (holds(left, right)) continue;
      return { step: turn.index, agent: turn.agent, reason: `States a false equality: ${quote(equality)}.` };
    }
    return undefined;
  },
} as const satisfies Check;

function holds(left: string, right: string): boolean {
  const exact = evaluate(left);
  const decimals = right.split('.')[1]?.length ?? 0;
  const allowed = Math.max(10 ** -decimals, Math.abs(exact) * 1e-9);
  return !Number.isFinite(exact) || Math.abs(exact - parse(right)) <= allowed;
}

/** Products before sums, left to right. */
function evaluate(expression: string): number {
  const tokens =
    expression
      .replace(/\\times|\\cdot|[×·]/g, '*')
      .replaceAll('÷', '/')
      .replaceAll('−', '-')
      .match(/[\d.,]+|[-+*/]/g) ?? [];
  const terms = [parse(tokens[0] ?? '')];
  for (let at = 1; at + 1 < tokens.length; at += 2) {
    const value = parse(tokens[at + 1] ?? '');
    const last = terms.length - 1;
    if (tokens[at] === '+') terms.push(value);
    else if (tokens[at] === '-') terms.push(-value);
    else if (tokens[at] === '*') terms[last] = (terms[last] ?? 0) * value;
    else terms[last] = (terms[last] ?? 0) / value;
  }
  return terms.reduce((sum, term) => sum + term, 0);
}

function parse(number: string): number {
  return Number(number.replaceAll(',', ''));
}
