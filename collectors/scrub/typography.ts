import { textRule } from './scrub-rule.js';

const PLAIN: readonly (readonly [typographic: RegExp, plain: string])[] = [
  [/[\u2018\u2019\u201a\u201b]/g, "'"],
  [/[\u201c\u201d\u201e\u201f]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/[\u2028\u2029\u0085]|\r\n?/g, '\n'],
];

const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f]/g;

/**
 * Typographic characters as a keyboard types them: one model writes `it’s` where another writes `it's`. In calls, whose
 * arguments may be code, a curly double quote becomes a single one. Either may end a quoted string of code early, which is
 * seldom: 18 of AFTraj's 1,944 training runs have curly quotes in calls.
 */
export const typography = textRule('typography', plain, (code) => plain(code.replace(DOUBLE_QUOTES, "'")));

function plain(text: string): string {
  return PLAIN.reduce((changed, [typographic, plainly]) => changed.replace(typographic, plainly), text);
}
