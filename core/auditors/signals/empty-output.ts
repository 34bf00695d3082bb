import { isEmptyTurn } from '../../reading/repeats.js';
import { isAgentTurn } from '../../reading/speaker.js';
import type { Check } from './check.js';

/** An agent's turn without a word or a call. */
export const emptyOutput = {
  name: 'empty-output',
  grade: 'observation',
  find(prefix) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn) || !isEmptyTurn(turn)) return undefined;
    return { step: turn.index, agent: turn.agent, reason: 'Returns neither text nor a tool call.' };
  },
} as const satisfies Check;
