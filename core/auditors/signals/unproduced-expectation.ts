import type { JsonValue } from '../../json.js';
import { isAgentTurn } from '../../reading/speaker.js';
import { spokenText } from '../../reading/spoken-text.js';
import { toolCalls } from '../../reading/tool-calls.js';
import type { Check } from './check.js';
import { numbersIn } from './numbers.js';
import { quote } from './quote.js';
import { firstTurnWith } from './seen-numbers.js';

/** A verify call whose expected value stands in no earlier turn: the checker is told an answer nobody worked out. */
export const unproducedExpectation = {
  name: 'unproduced-expectation',
  grade: 'strong',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn)) return undefined;
    const said = new Set([...numbersIn(spokenText(turn))].map(({ key }) => key));
    for (const { name, args } of toolCalls(turn)) {
      const expected = /verif|check|assert|validate/i.test(name) ? expectedValue(args) : undefined;
      if (expected === undefined) continue;
      const unseen = [...numbersIn(expected)].find(
        ({ key }) => !said.has(key) && !firstTurnWith(prefix, key, turn.index),
      );
      if (!unseen) continue;
      return {
        step: turn.index,
        agent: turn.agent,
        reason: `Asks ${quote(name)} to expect ${quote(expected)}, but no earlier turn produced ${quote(unseen.raw)}.`,
      };
    }
    return undefined;
  },
} as const satisfies Check;

/** A longer one is a document; its first numbers will do. */
const LONGEST_VALUE = 2_000;

function expectedValue(args: JsonValue): string | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined;
  const [, value] = Object.entries(args).find(([name]) => /^expect/i.test(name)) ?? [];
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, LONGEST_VALUE)
    : undefined;
}
