import { isAgentTurn } from '../../reading/speaker.js';
import { isTransferCall } from '../../reading/tool-calls.js';
import type { Check } from './check.js';
import { quote } from './quote.js';

/** A call to a tool that the run was not opened with. Silent where the host named no tools, and on handovers. */
export const unknownTool = {
  name: 'unknown-tool',
  grade: 'observation',
  find(prefix, { tools }) {
    const turn = prefix.newest;
    if (!isAgentTurn(turn) || tools.length === 0) return undefined;
    const unknown = turn.toolCalls?.find(
      (call) =>
        !(call.name === 'action' && call.id === '') &&
        !isTransferCall(call) &&
        !tools.some(({ name }) => name === call.name),
    );
    if (!unknown) return undefined;
    return {
      step: turn.index,
      agent: turn.agent,
      reason: `Calls ${quote(unknown.name)}, which is none of this run's tools.`,
    };
  },
} as const satisfies Check;
