import { closingBracket, splitOuter } from '../bracketed.js';

/** The outer form of an answer; its leaves are expressions, for the engine to compare. */
export type MathValue =
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'equation'; readonly left: string; readonly right: string }
  /** `1, 2`, `{1, 2}`, `1 \pm 2`: in any order. */
  | { readonly kind: 'set'; readonly items: readonly MathValue[] }
  /** `(1, 2)`, `[1, 2]`, `(1, 2]`: a point, a list or an interval, which only their problem tells apart. */
  | {
      readonly kind: 'tuple';
      readonly open: string;
      readonly close: string;
      readonly items: readonly MathValue[];
    }
  | { readonly kind: 'union'; readonly items: readonly MathValue[] };

const VARIABLE = String.raw`(?:[a-zA-Z]|\\[a-z]+)(?:_\{?\w+\}?)?`;
const NAMED = new RegExp(String.raw`^\s*${VARIABLE}(?:\([a-z]\))?\s*(?:=|\\in(?![a-z]))\s*([^=]+)$`);
const BETWEEN = new RegExp(String.raw`^(.+?)\s*(<|\\le)\s*${VARIABLE}\s*(<|\\le)\s*(.+)$`);
const BEYOND = new RegExp(String.raw`^${VARIABLE}\s*(<|>|\\le|\\ge)\s*([^<>]+)$`);
/** SymPy's conjunction of two bounds: `(-oo < x) & (x < 2)`. */
const BOTH = new RegExp(
  String.raw`^\(?\((.+?)\s*(<|\\le)\s*(${VARIABLE})\)\s*&\s*\(\3\s*(<|\\le)\s*([^()]+)\)\)?$`,
);
const MATRIX = /^\\begin\{([pbv]?matrix|array)\}(?:\{[lcr|]+\})?(.*)\\end\{\1\}$/s;

/** Nesting deeper than any answer's: beyond it, an expression. */
const DEEPEST = 6;

/** @param text as `plainMath` gives it */
export function mathValue(text: string, depth = 0): MathValue {
  const value = text.trim();
  const inner = (part: string) => mathValue(part, depth + 1);
  if (depth > DEEPEST) return { kind: 'expression', text: value };

  const union = splitOuter(value, /\\cup(?![a-z])|(?<=[)\]])\s*(?:U|or|\|)\s*(?=[([])/);
  if (union.length > 1) return { kind: 'union', items: union.map(inner) };

  const matrix = MATRIX.exec(value)?.[2] ?? /^Matrix\((.*)\)$/s.exec(value)?.[1];
  if (matrix !== undefined) return inner(matrix.startsWith('[') ? matrix : rowsOf(matrix));

  const interval = intervalOf(value);
  if (interval !== undefined) return inner(interval);

  const list = splitOuter(value, /,|;|\s(?:and|or)\s/).filter(Boolean);
  if (list.length > 1) return { kind: 'set', items: list.map(inner) };

  const group = groupOf(value);
  if (group) return { ...group, items: group.items.map(inner) };

  const named = NAMED.exec(value)?.[1];
  if (depth === 0 && named !== undefined && !/[a-zA-Z]/.test(named.replace(/\\[a-z]+/g, '')))
    return inner(named);

  const [left, right, ...more] = splitOuter(value, /=/);
  if (left && right && more.length === 0) return { kind: 'equation', left, right };

  const signs = splitOuter(value, /\\pm(?![a-z])/);
  if (signs.length === 2)
    return { kind: 'set', items: ['+', '-'].map((sign) => inner(`${signs[0]}${sign}(${signs[1]})`)) };

  return { kind: 'expression', text: value };
}

/** `a & b \\ c & d` as `[[a, b], [c, d]]`. */
function rowsOf(cells: string): string {
  const rows = cells.split('\\\\').filter((row) => row.trim() !== '');
  return `[${rows.map((row) => `[${row.split('&').join(',')}]`).join(',')}]`;
}

/** What stands in one pair of brackets, when that is the whole text and more than one thing; a set's braces may hold one. */
function groupOf(
  text: string,
):
  | { kind: 'set'; items: readonly string[] }
  | { kind: 'tuple'; open: string; close: string; items: readonly string[] }
  | undefined {
  const braces = /^\\\{(.*)\\\}$/s.exec(text) ?? /^\{(.*)\}$/s.exec(text);
  if (braces) return { kind: 'set', items: splitOuter(braces[1] ?? '', /,/) };
  const [open, close] = [text.charAt(0), text.at(-1) ?? ''];
  if (!'(['.includes(open) || !')]'.includes(close) || text.length < 3) return undefined;
  const items = splitOuter(text.slice(1, -1), /,/);
  const isList = open === '[' && close === ']' && closingBracket(text, 0) === text.length - 1;
  return items.length > 1 || isList ? { kind: 'tuple', open, close, items } : undefined;
}

/** `3 < x \le 4` and `(3 < x) & (x \le 4)` as `(3, 4]`, `x > 2` as `(2, \infty)`. */
function intervalOf(text: string): string | undefined {
  const both = BOTH.exec(text)?.filter((_, index) => index !== 3);
  const [, low, opens, closes, high] = both ?? BETWEEN.exec(text) ?? [];
  if (low !== undefined) return `${opens === '<' ? '(' : '['}${low},${high}${closes === '<' ? ')' : ']'}`;
  const [, sign, end] = BEYOND.exec(text) ?? [];
  switch (sign) {
    case '<':
      return `(-\\infty,${end})`;
    case '\\le':
      return `(-\\infty,${end}]`;
    case '>':
      return `(${end},\\infty)`;
    case '\\ge':
      return `[${end},\\infty)`;
    default:
      return undefined;
  }
}
