import { textRule } from './scrub-rule.js';

/** Blanks at the ends of lines, more than one empty line together, and white space around a whole text. Calls keep theirs: it may be code. */
export const trailingSpace = textRule(
  'trailing-space',
  (text) =>
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  (code) => code,
);
