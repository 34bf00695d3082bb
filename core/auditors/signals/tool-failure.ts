import { endsOf } from '../../reading/ends-of.js';
import { isToolTurn } from '../../reading/speaker.js';
import { callerOf } from '../../reading/tool-calls.js';
import { type ToolResult, toolResults } from '../../reading/tool-results.js';
import type { Check } from './check.js';
import { quote } from './quote.js';

/** Failures by the tool's own words, at the start of a line: a page that merely mentions an error is none. */
const FAILED =
  /\b[Ee]xit ?code:? -?[1-9]\d{0,2}\b|^Traceback \(most recent call last\)|^(?:\[tool: \w{1,100}\]\s)?\s{0,8}(?:[A-Z]\w{0,60}(?:Error|Exception)\b|[Ee]rror\b\s?[:!]|[1-9]\d{0,2} validation errors? for\b)|^\s{0,8}"?error"?\s?:\s?"|\bTESTS?_FAILED\b/m;

const READ_AT_EACH_END = 2_000;

/** A tool failed: exit code, traceback or error. Its caller is blamed, which is right about one time in three. */
export const toolFailure = {
  name: 'tool-failure',
  grade: 'weak',
  find(prefix) {
    const turn = prefix.newest;
    if (!isToolTurn(turn)) return undefined;
    const failed = toolResults(turn).find(hasFailed);
    const caller = failed && callerOf(prefix, turn.index, failed);
    if (!caller) return undefined;
    return {
      step: caller.index,
      agent: caller.agent,
      reason: `Made a call that failed: ${quote(failed.text)}.`,
    };
  },
} as const satisfies Check;

function hasFailed({ text, isError }: ToolResult): boolean {
  return isError || FAILED.test(endsOf(text, READ_AT_EACH_END));
}
