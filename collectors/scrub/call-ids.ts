import { actionCalls } from '../importers/aftraj-action.js';
import type { SampleTurn } from '../sample.js';
import { type ScrubRule, turnsChanged } from './scrub-rule.js';

/**
 * The ids of calls as numbers in order of appearance, `call_0000` and on: `call_verify_slip` says what was injected, and
 * each provider has a form of its own. Calls without an id keep none.
 */
export const callIds: ScrubRule = {
  name: 'call-ids',
  scrub(sample) {
    const numbers = new Map<string, string>();
    const renamed = (id: string) => {
      if (id === '') return '';
      const known = numbers.get(id) ?? `call_${String(numbers.size).padStart(4, '0')}`;
      numbers.set(id, known);
      return known;
    };
    const turns = turnsChanged(sample.turns, (turn) => renumbered(turn, renamed));
    return turns === sample.turns ? sample : { ...sample, turns };
  },
};

function renumbered(turn: SampleTurn, renamed: (id: string) => string): SampleTurn {
  const toolCalls = turn.toolCalls?.map((call) => {
    const id = renamed(call.id);
    return id === call.id ? call : { ...call, id };
  });
  const action = turn.action === undefined ? undefined : idsOfAction(turn.action, renamed);
  const toolCallId = turn.toolCallId === undefined ? undefined : renamed(turn.toolCallId);
  const content = turn.kind === 'tool' ? idsOfResults(turn.content, renamed) : turn.content;
  const same =
    (toolCalls ?? []).every((call, at) => call === turn.toolCalls?.[at]) &&
    action === turn.action &&
    toolCallId === turn.toolCallId &&
    content === turn.content;
  if (same) return turn;
  return {
    ...turn,
    content,
    ...(toolCalls && { toolCalls }),
    ...(action !== undefined && { action }),
    ...(toolCallId !== undefined && { toolCallId }),
  };
}

function idsOfAction(action: string, renamed: (id: string) => string): string {
  const calls = actionCalls(action);
  if (!calls?.some(({ id }) => id !== undefined && renamed(id) !== id)) return action;
  return JSON.stringify(
    calls.map((call) => (call.id === undefined ? call : { ...call, id: renamed(call.id) })),
  );
}

/** Of `[{"name": "compute", "result": "3", "call_id": "call_0000"}]`. Quotes within strings are escaped: no text matches. */
function idsOfResults(content: string, renamed: (id: string) => string): string {
  if (!/^\s*\[\s*\{/.test(content)) return content;
  return content.replace(
    /([{,]\s*"call_id":\s*")((?:[^"\\]|\\.)*)(")/g,
    (_, before, id, after) => `${before}${renamed(id)}${after}`,
  );
}
