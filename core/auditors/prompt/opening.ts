import type { ToolSpec } from '../../run-info.js';
import type { CountTokens } from './count-tokens.js';
import { clipped, MOST_TOKENS, mostCharacters } from './fit-tokens.js';
import { jsonLine } from './json-line.js';
import { CountedLine, fits, type Line } from './line.js';

/** The task in at most `limit` tokens. */
export function taskLine(task: string, limit: number, count: CountTokens): Line {
  const whole = new CountedLine(jsonLine({ task }), count);
  if (fits(whole, limit)) return whole;
  const shortened = (characters: number, leftOut: number) =>
    jsonLine({ task: clipped(task, characters), leftOut });
  const characters = mostCharacters((most) => shortened(most, MOST_TOKENS), limit, count);
  const leftOut = Math.max(1, whole.tokens - count(shortened(characters, MOST_TOKENS)));
  const text = shortened(characters, leftOut);
  return new CountedLine(text, count, leftOut, count(text));
}

/** A line for each tool, in at most `limit` tokens together: descriptions are shortened first, then tools are left out. */
export function toolLines(tools: readonly ToolSpec[], limit: number, count: CountTokens): Line {
  const whole = new CountedLine(tools.map((tool) => toolLine(tool)).join(''), count);
  if (fits(whole, limit)) return whole;
  const shortened = (characters: number) => {
    const shown = tools.slice(0, Math.floor(characters / 4)).map((tool) => toolLine(tool, characters));
    return `${shown.join('')}${jsonLine({ toolsShown: shown.length, tools: tools.length })}`;
  };
  const text = shortened(mostCharacters(shortened, limit, count));
  const tokens = count(text);
  return new CountedLine(text, count, Math.max(1, whole.tokens - tokens), tokens);
}

function toolLine({ name, description }: ToolSpec, characters = Number.POSITIVE_INFINITY): string {
  return jsonLine({
    tool: clipped(name, characters),
    description: description ? clipped(description, characters) : undefined,
  });
}
