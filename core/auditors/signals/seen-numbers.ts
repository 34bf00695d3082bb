import type { Prefix, TurnIndex } from '../../prefix.js';
import { argumentText } from '../../reading/tool-calls.js';
import { toolResults } from '../../reading/tool-results.js';
import type { Turn } from '../../turn.js';
import { numbersIn } from './numbers.js';

/** A turn with more numbers than this (a table, a dump) counts as having shown every number. */
const MAX_NUMBERS_FILED = 20_000;
const EVERYTHING = 'everything';

const turnsByNumber: TurnIndex = {
  *keys(turn) {
    let filed = 0;
    for (const { key } of numbersIn(wholeText(turn))) {
      if (++filed > MAX_NUMBERS_FILED) return yield EVERYTHING;
      yield key;
    }
  },
};

/** The first turn before `step` in which a number stands, whoever wrote it: the task, an agent, a call or a tool. */
export function firstTurnWith(prefix: Prefix, key: string, step: number): Turn | undefined {
  return [key, EVERYTHING]
    .map((filed) => prefix.first(turnsByNumber, filed))
    .find((turn) => turn !== undefined && turn.index < step);
}

function wholeText(turn: Turn): string {
  const results = toolResults(turn);
  if (results.length > 0) return results.map(({ text }) => text).join('\n');
  const calls = (turn.toolCalls ?? []).map(({ args }) => argumentText(args));
  return [turn.thought ?? '', turn.content, ...calls].join('\n');
}
