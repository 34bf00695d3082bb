import type { ToolCall, Turn } from '../../turn.js';
import type { CountTokens } from './count-tokens.js';
import { clipped, MOST_TOKENS, mostCharacters } from './fit-tokens.js';
import { jsonLine } from './json-line.js';
import { CountedLine, fits, type Line } from './line.js';

const LONGEST_NAME = 128;
/** A shortened turn keeps one call for so many characters that each of its texts may keep. */
const CHARACTERS_PER_CALL = 16;
const DIGEST_LENGTH = 80;

/**
 * A turn in at most `limit` tokens. Whatever differs between equal runs is left out: ids, times, usage.
 * @example {"step":3,"agent":"solver","kind":"agent","calls":[{"name":"add","args":{"a":1,"b":2}}],"content":"Adding."}
 */
export function turnLine(turn: Turn, limit: number, count: CountTokens): Line {
  const whole = new CountedLine(jsonLine(fields(turn)), count);
  if (fits(whole, limit)) return whole;
  const shortened = (characters: number, leftOut: number) =>
    jsonLine({ ...fields(turn, characters), leftOut });
  const characters = mostCharacters((most) => shortened(most, MOST_TOKENS), limit, count);
  const leftOut = Math.max(1, whole.tokens - count(shortened(characters, MOST_TOKENS)));
  const text = shortened(characters, leftOut);
  return new CountedLine(text, count, leftOut, count(text));
}

/** What is left of a turn once it is compacted: who, and its first and last words. A turn shorter than that stays as it is. */
export function digestLine(turn: Turn, line: Line, count: CountTokens): Line {
  const said = turn.content.trim() || turn.thought?.trim() || calledNames(turn);
  const words = clipped(said, DIGEST_LENGTH).replace(/\s+/g, ' ');
  const { step, agent, kind } = head(turn, LONGEST_NAME);
  const withCount = (leftOut: number) => jsonLine({ step, agent, kind, digest: words || undefined, leftOut });
  const saved = line.tokens - count(withCount(MOST_TOKENS));
  if (saved <= 0) return line;
  const leftOut = line.leftOut + saved;
  const text = withCount(leftOut);
  return new CountedLine(text, count, leftOut, count(text));
}

/** `characters` is the most that each text may keep. */
function fields(turn: Turn, characters = Number.POSITIVE_INFINITY): object {
  const { thought, content, toolCalls = [], toolName, isError } = turn;
  const calls = toolCalls.slice(0, characters / CHARACTERS_PER_CALL);
  return {
    ...head(turn, characters),
    to: turn.handoffTo && name(turn.handoffTo, characters),
    thought: thought ? clipped(thought, characters) : undefined,
    calls: calls.length > 0 ? calls.map((call) => callField(call, characters)) : undefined,
    tool: toolName && name(toolName, characters),
    error: isError || undefined,
    content: content ? clipped(content, characters) : undefined,
  };
}

function head({ index, agent, kind }: Turn, characters: number) {
  return { step: index, agent: name(agent, characters), kind };
}

/** Arguments that are too long are shown as a piece of their JSON text. */
function callField(call: ToolCall, characters: number): object {
  const json = JSON.stringify(call.args);
  const args = json.length <= characters ? call.args : clipped(json, characters);
  const error = call.error ? clipped(call.error, characters) : undefined;
  return { name: name(call.name, characters), args, error };
}

function calledNames({ toolCalls = [] }: Turn): string {
  return toolCalls.map(({ name }) => `${name}()`).join(', ');
}

/** Names stay whole unless their turn has to be shortened, and may well then. */
function name(text: string, characters: number): string {
  return characters === Number.POSITIVE_INFINITY ? text : clipped(text, Math.min(LONGEST_NAME, characters));
}
