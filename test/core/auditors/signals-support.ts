import type { JsonValue } from '../../../core/json.js';
import type { Prefix } from '../../../core/prefix.js';
import { Trajectory } from '../../../core/trajectory.js';
import type { ToolCall, TurnKind } from '../../../core/turn.js';

export interface Spoken {
  readonly agent: string;
  readonly kind: TurnKind;
  readonly content: string;
  readonly thought?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly isError?: boolean;
}

export const user = (content: string): Spoken => ({ agent: 'user', kind: 'user', content });

export const says = (agent: string, content: string, more: Partial<Spoken> = {}): Spoken => ({
  agent,
  kind: 'agent',
  content,
  ...more,
});

/** An agent's call and nothing else, as a plugin submits it and as an importer reads it from JSON. */
export const calls = (agent: string, name: string, args: JsonValue, id = ''): Spoken =>
  says(agent, '', { toolCalls: [{ id, name, args }] });

/** An action that is no JSON, as the AFTraj importer keeps it. */
export const acts = (agent: string, action: string): Spoken => calls(agent, 'action', action);

/** Live shape: one result, the tool named beside the text. */
export const answers = (toolName: string, content: string, more: Partial<Spoken> = {}): Spoken => ({
  agent: 'caller',
  kind: 'tool',
  content,
  toolName,
  ...more,
});

/** Imported shape: AFTraj's environment turn with all results of one action. */
export const environment = (
  ...results: readonly (readonly [name: string, result: string, id?: string])[]
): Spoken => ({
  agent: 'environment',
  kind: 'tool',
  content: JSON.stringify(results.map(([name, result, id = '']) => ({ name, result, call_id: id }))),
});

/** Who&When shape: a terminal that answers in plain text. */
export const terminal = (content: string): Spoken => ({ agent: 'Computer_terminal', kind: 'tool', content });

/** The prefix after each turn. */
export function prefixes(turns: readonly Spoken[]): readonly Prefix[] {
  const trajectory = new Trajectory();
  return turns.map((turn, at) => trajectory.append({ id: `turn-${at}`, path: [], at: 0, ...turn }));
}

/** The prefix that ends with the last turn. */
export function prefixOf(...turns: readonly Spoken[]): Prefix {
  return prefixes(turns).at(-1) as Prefix;
}
