import { lastBoxed } from '../bracketed.js';

/** A mathematical answer without its dress. */
export interface PlainMath {
  readonly text: string;
  /** Lower case, singular: `"cm"`. */
  readonly unit?: string | undefined;
  readonly isPercent: boolean;
}

const TEXT_COMMAND = /\\(?:text|mbox|textbf|mathrm|mathbf|textrm|operatorname)\s*\{([^{}]*)\}/g;
/** Not the second half of a `\\\\`, which ends a matrix's row. */
const SPACING = /(?<!\\)\\(?:[,;:! ]|(?:quad|qquad|displaystyle)\b)|~/g;
const UNIT_WORDS = /^[A-Za-z][A-Za-z./ ]*(?:\^\{?[23]\}?)?$/;

/**
 * Undoes what writers put around an answer (`$\boxed{x = 12\text{ cm}}$`), and writes SymPy's and Unicode's signs as LaTeX
 * does. Nothing here knows what an expression means.
 */
export function plainMath(answer: string): PlainMath {
  let text = (lastBoxed(answer) ?? answer).trim().replace(/\.$/, '');
  for (const [open, close] of [
    ['\\(', '\\)'],
    ['\\[', '\\]'],
    ['$$', '$$'],
    ['$', '$'],
    ['`', '`'],
    ['**', '**'],
  ] as const)
    if (text.length > open.length + close.length && text.startsWith(open) && text.endsWith(close))
      text = text.slice(open.length, -close.length).trim();
  text = text
    .replace(SPACING, ' ')
    .replace(/\\(left|right|[bB]igg?[lr]?)(?![a-zA-Z])/g, '')
    .replace(/\\[dt]frac/g, '\\frac')
    .replace(/−|–/g, '-')
    .replace(/≤|<=|\\leqslant|\\leq(?![a-z])/g, '\\le ')
    .replace(/≥|>=|\\geqslant|\\geq(?![a-z])/g, '\\ge ')
    .replace(/∪/g, '\\cup ')
    .replace(/∞|\boo\b/g, '\\infty ')
    .replace(/π/g, '\\pi ')
    .replace(/√/g, 'sqrt')
    .replace(/±/g, '\\pm ')
    .replace(/\bI\b/g, 'i')
    .replace(/\^\s*(?:\{\s*\\circ\s*\}|\\circ)|°|\bdegrees?\b/g, '')
    .replace(/\\\$|^\$/g, '')
    .replace(/(?<![\d.])(\d{1,3}(?:,\d{3})+)(?![\d,])/g, (number) => number.replaceAll(',', ''));
  const isPercent = /\\?%|\bpercent\b/.test(text);
  text = text.replace(/\\?%|\bpercent\b/g, '').trim();
  return { ...withoutUnit(text), isPercent };
}

/** `12 cm`, `12\text{ cm}^2`, `36\text{ dollars}`; but `2 k` stays, for `k` may be a number. */
function withoutUnit(text: string): Pick<PlainMath, 'text' | 'unit'> {
  const plain = text.replace(TEXT_COMMAND, (_, words: string) => ` ${words} `).trim();
  const [, value = '', unit = ''] = /^(.*[\d)}])\s+(\S.*)$/.exec(plain.replace(/\s+/g, ' ')) ?? [];
  const isText = plain !== text;
  if (UNIT_WORDS.test(unit) && (isText || /^[A-Za-z]{2}/.test(unit)) && !/\b(?:or|and)\b/.test(unit))
    return { text: value.trim(), unit: unit.toLowerCase().replace(/s$/, '') };
  return { text: plain };
}
