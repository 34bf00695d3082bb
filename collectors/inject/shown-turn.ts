import { jsonLine } from '../../core/index.js';
import type { SampleTurn } from '../sample.js';

/** A turn as one line of a prompt. What agents said stands inside JSON strings, so that it cannot pass for a line of ours. */
export function shownTurn(turn: SampleTurn, step: number): string {
  const { agent, kind, thought, content, toolCalls, toolName, isError, handoffTo } = turn;
  const calls = toolCalls?.map(({ name, args }) => ({ name, args }));
  return jsonLine({
    step,
    agent,
    kind,
    thought,
    calls,
    tool: toolName,
    error: isError,
    to: handoffTo,
    content,
  });
}

export function shownTurns(turns: readonly SampleTurn[]): string {
  return turns.map(shownTurn).join('');
}
