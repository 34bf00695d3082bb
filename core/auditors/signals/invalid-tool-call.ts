import { isAgentTurn } from '../../reading/speaker.js';
import type { ToolCall } from '../../turn.js';
import type { Check } from './check.js';
import { quote } from './quote.js';

/** A call that the host could not parse, or whose arguments were meant as JSON and are not. */
export const invalidToolCall = {
  name: 'invalid-tool-call',
  grade: 'observation',
  find(prefix) {
    const turn = prefix.newest;
    const broken = isAgentTurn(turn) ? turn.toolCalls?.find(isBroken) : undefined;
    if (!broken) return undefined;
    const evidence = broken.error ?? (typeof broken.args === 'string' ? broken.args : '');
    return {
      step: turn.index,
      agent: turn.agent,
      reason: `Calls ${quote(broken.name)} with arguments that cannot be read: ${quote(evidence)}.`,
    };
  },
} as const satisfies Check;

/** Text alone is no fault: a code interpreter takes its code as it stands. */
function isBroken({ args, error }: ToolCall): boolean {
  if (error !== undefined) return true;
  if (typeof args !== 'string' || !/^\s*\{\s*(?:"|\})/.test(args)) return false;
  try {
    JSON.parse(args);
    return false;
  } catch {
    return true;
  }
}
