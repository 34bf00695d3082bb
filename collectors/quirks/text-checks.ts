import type { TurnInput } from '../../core/index.js';
import type { RunCheck } from './check.js';

/**
 * Zero-width and direction marks, byte order marks, and private-use characters (icon fonts): unseen by a reader, but
 * they break an exact comparison of texts.
 */
export const invisibleCharacter = patternCheck(
  'invisible-character',
  /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\p{Private_Use}]/gu,
);

export const softHyphen = patternCheck('soft-hyphen', /\u00ad/g);

/** Dividing characters by four estimates the tokens of Latin text only. */
export const nonLatinText = patternCheck(
  'non-latin-text',
  /[\p{Letter}--\p{Script=Latin}--\p{Script=Common}--\p{Script=Inherited}]/gv,
);

/** A `<think>` or `</think>` without its partner, or in a turn that is no agent's: an importer leaves it where it stands. */
export const thinkTagLeft = patternCheck('think-tag-left', /<\/?think>/g);

/** In 89 % of AFTraj's safe agentic runs, in 17 % of its coding injections against 1 % of its safe coding runs. */
export const curlyQuotes = patternCheck('curly-quotes', /[\u2018\u2019\u201c\u201d]/g);

/** Debris of a code agent's output: in 72 % of AFTraj's safe agentic runs and in none of its natural failures. */
export const closingCodeTag = patternCheck('closing-code-tag', /<\/code>/g);

/** `/tmp/tmp5z1spgz1.py`: a quarter of AFTraj's coding injections, and no safe coding run. */
export const temporaryFileName = patternCheck('temporary-file-name', /\/tmp\/[\w.-]+|\\Temp\\[\w.-]+/g);

/** One finding per run, at the first turn that has a match: these marks come by the hundred. */
function patternCheck(code: string, pattern: RegExp): RunCheck {
  return {
    code,
    *find({ turns }) {
      const matches = turns.flatMap((turn, step) =>
        textsOf(turn).flatMap((text) => Array.from(text.match(pattern) ?? [], (match) => ({ step, match }))),
      );
      const [first] = matches;
      if (!first) return;
      const steps = new Set(matches.map(({ step }) => step)).size;
      yield {
        step: first.step,
        detail: `${matches.length} × in ${steps} turn${steps > 1 ? 's' : ''}, first ${written(first.match)}`,
      };
    },
  };
}

function textsOf({ content, thought = '', toolCalls = [] }: TurnInput): readonly string[] {
  const args = toolCalls.map((call) =>
    typeof call.args === 'string' ? call.args : JSON.stringify(call.args),
  );
  return [content, thought, ...args];
}

/** A single character by its number, since it may have no shape: `U+200B`. */
function written(match: string): string {
  const [character = '', ...others] = match;
  if (others.length > 0) return JSON.stringify(match);
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
