import type { JsonValue } from '../json.js';
import type { Prefix, TurnIndex } from '../prefix.js';
import type { ToolCall, Turn } from '../turn.js';
import { isAgentTurn } from './speaker.js';
import type { ToolResult } from './tool-results.js';

/** How far back a result without a call id looks for the turn that called. */
const MAX_STEPS_BACK = 8;

/**
 * The calls of a turn. Importers keep an action that is no JSON as `{id: '', name: 'action', args: <raw text>}`; of those,
 * `call web_search({…})` is read as a call to `web_search`, and an event's bare name (`[ThoughtEvent]`) is no call.
 */
export function toolCalls(turn: Turn): readonly ToolCall[] {
  return (turn.toolCalls ?? []).flatMap((call) => {
    if (call.name !== 'action' || call.id !== '' || typeof call.args !== 'string') return [call];
    if (/^\s*(?:\[\w+\]\s*)?$/.test(call.args)) return [];
    const name = /^\s*(?:call\s+)?(\w{1,100})(?:\(|\s*$)/.exec(call.args)?.[1];
    return [name === undefined ? call : { ...call, name }];
  });
}

/** A handover by tool call, named as LangGraph's swarm and supervisor, the OpenAI Agents SDK and their kin name it. */
export function isTransferCall({ name }: ToolCall): boolean {
  return /^(?:transfer_(?:back_)?to_|hand_?off(?:_(?:back_)?to)?(?:_|$))/i.test(name);
}

/** A handover that says nothing: `transfer_to_tester({})`, but not `transfer_to_account({amount: 4250})`. */
export function isBareTransfer(call: ToolCall): boolean {
  if (!isTransferCall(call)) return false;
  const rest = argumentText(call.args).replace(call.name, '').trim();
  return /^(?:null|\(\s*\)|\{\s*\})?$/.test(rest);
}

/** A call's arguments as text: strings inside are laid out as they are, not escaped. */
export function argumentText(args: JsonValue): string {
  return [...strings(args)].join('\n');
}

/** Files every turn under the ids of its calls. */
const callersById: TurnIndex = {
  *keys(turn) {
    for (const call of turn.toolCalls ?? []) if (call.id !== '') yield call.id;
  },
};

/** The turn that asked for a result: by call id, or else the nearest agent turn before it, one with calls preferred. */
export function callerOf(prefix: Prefix, resultStep: number, result: ToolResult): Turn | undefined {
  const known = result.callId === undefined ? undefined : prefix.last(callersById, result.callId, resultStep);
  if (known) return known;
  let nearest: Turn | undefined;
  for (let step = resultStep - 1; step >= Math.max(0, resultStep - MAX_STEPS_BACK); step--) {
    const turn = prefix.at(step);
    if (!turn || !isAgentTurn(turn)) continue;
    if (toolCalls(turn).length > 0) return turn;
    nearest ??= turn;
  }
  return nearest;
}

function* strings(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value !== 'object' || value === null) yield String(value);
  else for (const item of Object.values(value)) yield* strings(item);
}
