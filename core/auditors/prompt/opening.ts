import type { ToolSpec } from '../../run-info.js';
import type { CountTokens } from './count-tokens.js';
import { clipped, MOST_TOKENS, mostCharacters, tokensOf } from './fit-tokens.js';
import { jsonLine } from './json-line.js';
import type { Line } from './turn-line.js';

/** The task in at most `limit` tokens. */
export function taskLine(task: string, limit: number, count: CountTokens): Line {
  const whole = jsonLine({ task });
  const tokens = tokensOf(whole, count);
  if (tokens <= limit) return { text: whole, tokens, leftOut: 0 };
  const shortened = (characters: number, leftOut: number) =>
    jsonLine({ task: clipped(task, characters), leftOut });
  const characters = mostCharacters((most) => shortened(most, MOST_TOKENS), limit, count);
  const leftOut = Math.max(1, tokens - count(shortened(characters, MOST_TOKENS)));
  const text = shortened(characters, leftOut);
  return { text, tokens: count(text), leftOut };
}

/** A line for each tool, in at most `limit` tokens together: descriptions are shortened first, then tools are left out. */
export function toolLines(tools: readonly ToolSpec[], limit: number, count: CountTokens): Line {
  const whole = tools.map((tool) => toolLine(tool)).join('');
  const tokens = tokensOf(whole, count);
  if (tokens <= limit) return { text: whole, tokens, leftOut: 0 };
  const shortened = (characters: number) => {
    const shown = tools.slice(0, Math.floor(characters / 4)).map((tool) => toolLine(tool, characters));
    return `${shown.join('')}${jsonLine({ toolsShown: shown.length, tools: tools.length })}`;
  };
  const text = shortened(mostCharacters(shortened, limit, count));
  return { text, tokens: count(text), leftOut: Math.max(1, tokens - count(text)) };
}

function toolLine({ name, description }: ToolSpec, characters = Number.POSITIVE_INFINITY): string {
  return jsonLine({
    tool: clipped(name, characters),
    description: description ? clipped(description, characters) : undefined,
  });
}
