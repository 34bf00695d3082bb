import type { Prefix, TurnIndex } from '../../prefix.js';
import { isToolTurn } from '../../reading/speaker.js';
import { argumentText, callerOf, toolCalls } from '../../reading/tool-calls.js';
import { type ToolResult, toolResults } from '../../reading/tool-results.js';
import type { Turn } from '../../turn.js';
import type { Check } from './check.js';
import { quote } from './quote.js';
import { toolVerdict } from './tool-verdict.js';

/** Files a tool turn under the name of each of its tools that passed something. */
const passesByTool: TurnIndex = {
  *keys(turn) {
    for (const result of toolResults(turn)) if (toolVerdict(result) === 'pass') yield toolKey(turn, result);
  },
};

/** The same tool passed earlier code, and now fails: whoever changed the code is at fault, not the tool. */
export const brokenAfterPass = {
  name: 'broken-after-pass',
  grade: 'strong',
  find(prefix) {
    const turn = prefix.newest;
    if (!isToolTurn(turn)) return undefined;
    for (const result of toolResults(turn)) {
      if (toolVerdict(result) !== 'fail') continue;
      const key = toolKey(turn, result);
      const passed = prefix.last(passesByTool, key, turn.index);
      const caller = callerOf(prefix, turn.index, result);
      if (!passed || !caller) continue;
      const before = codeJudged(prefix, passed, key);
      const now = codeOf(caller, result);
      if (before === undefined || now === undefined || before === now) continue;
      return {
        step: caller.index,
        agent: caller.agent,
        reason: `Changed the code after it had passed at step ${passed.index}; the tool now answers ${quote(result.text)}.`,
      };
    }
    return undefined;
  },
} as const satisfies Check;

function toolKey(turn: Turn, { tool }: ToolResult): string {
  return tool ?? turn.agent;
}

function codeJudged(prefix: Prefix, passed: Turn, key: string): string | undefined {
  const result = toolResults(passed).find(
    (each) => toolKey(passed, each) === key && toolVerdict(each) === 'pass',
  );
  const caller = result && callerOf(prefix, passed.index, result);
  return caller && codeOf(caller, result);
}

/** The code in a call's arguments, or, where code travels in the text, in its fences; white space does not count. */
function codeOf(caller: Turn, result: ToolResult): string | undefined {
  const calls = toolCalls(caller);
  const call = calls.find(({ id }) => id !== '' && id === result.callId) ?? calls[0];
  const text = call
    ? argumentText(call.args)
    : caller.content
        .split('```')
        .filter((_, at) => at % 2 === 1)
        .join('\n');
  const code = text.replace(/\s+/g, '');
  return code === '' ? undefined : code;
}
