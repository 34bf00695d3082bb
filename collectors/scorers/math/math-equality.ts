import { Expressions } from './expressions.js';
import { type MathValue, mathValue } from './math-value.js';
import { type PlainMath, plainMath } from './plain-math.js';

/** Words of a text, by which an answer is `even` or `Navin`, and no product of variables. Functions are none. */
const WORD =
  /(?<![\\a-zA-Z])(?!(?:sqrt|sin|cos|tan|cot|sec|csc|log|exp|arc\w+|pi|abs|theta|alpha|beta|lambda|Matrix|infty)(?![a-zA-Z]))[a-zA-Z]{3,}/;

/** Whether two answers to a mathematical problem are one, however they are written. */
export interface MathEquality {
  areEqual(one: string, other: string): boolean;
}

export async function loadMathEquality(): Promise<MathEquality> {
  const expressions = await Expressions.load();

  function areValues(one: MathValue, other: MathValue, scale: number): boolean {
    if (one.kind === 'equation' && other.kind === 'equation')
      return expressions.areProportional(`${one.left}-(${one.right})`, `${other.left}-(${other.right})`);
    if (one.kind === 'equation') return isSide(one, other, scale);
    if (other.kind === 'equation') return isSide(other, one, 1 / scale);
    if (one.kind === 'expression')
      return other.kind === 'expression'
        ? areTexts(one.text, other.text, scale)
        : areAlone(other, one, 1 / scale);
    if (other.kind === 'expression') return areAlone(one, other, scale);
    if (one.kind === 'tuple' && other.kind === 'tuple')
      return bracketsAgree(one, other) && inOrder(one.items, other.items, scale);
    if (one.kind === 'union' || other.kind === 'union')
      return one.kind === other.kind && inAnyOrder(one.items, other.items, scale);
    return inAnyOrder(one.items, other.items, scale);
  }

  /** `y = 2x` answers what `2x` does, where the left side is but a name. */
  function isSide(
    { left, right }: MathValue & { kind: 'equation' },
    other: MathValue,
    scale: number,
  ): boolean {
    return /^(?:[a-zA-Z]|\\[a-z]+)(?:\([a-z]\))?$/.test(left) && areValues(mathValue(right), other, scale);
  }

  /** A list of one thing is that thing. */
  function areAlone(
    list: MathValue & { items: readonly MathValue[] },
    alone: MathValue,
    scale: number,
  ): boolean {
    const [item, ...others] = list.items;
    return item !== undefined && others.length === 0 && areValues(item, alone, scale);
  }

  function inOrder(ones: readonly MathValue[], others: readonly MathValue[], scale: number): boolean {
    const [a, b] = [withoutSingleRows(ones), withoutSingleRows(others)];
    return a.length === b.length && a.every((item, index) => areValues(item, b[index] as MathValue, scale));
  }

  function inAnyOrder(ones: readonly MathValue[], others: readonly MathValue[], scale: number): boolean {
    if (ones.length !== others.length) return false;
    const left = [...others];
    return ones.every((item) => {
      const at = left.findIndex((candidate) => areValues(item, candidate, scale));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }

  function areTexts(one: string, other: string, scale: number): boolean {
    if (scale === 1 && folded(one) === folded(other)) return true;
    if (WORD.test(one) || WORD.test(other)) return false;
    return expressions.areEqual(one, other, scale);
  }

  function arePlain(one: PlainMath, other: PlainMath): boolean {
    if (one.unit !== undefined && other.unit !== undefined && one.unit !== other.unit) return false;
    const [a, b] = [mathValue(one.text), mathValue(other.text)];
    if (areValues(a, b, 1)) return true;
    if (one.isPercent === other.isPercent) return false;
    return areValues(a, b, one.isPercent ? 0.01 : 100);
  }

  return { areEqual: (one, other) => arePlain(plainMath(one), plainMath(other)) };
}

/** An interval that is open at both ends is written as a point is; `[1, 2)` and `(1, 2)` are two things. */
function bracketsAgree(one: MathValue & { kind: 'tuple' }, other: MathValue & { kind: 'tuple' }): boolean {
  const [a, b] = [one.open + one.close, other.open + other.close];
  if (a === b || one.items.length !== 2 || other.items.length !== 2) return true;
  const isOfRows = [...one.items, ...other.items].some(({ kind }) => kind === 'tuple');
  return isOfRows;
}

/** A column vector is written `[[1], [2]]`, and `(1, 2)`. */
function withoutSingleRows(items: readonly MathValue[]): readonly MathValue[] {
  const rows = items.map((item) =>
    item.kind === 'tuple' && item.items.length === 1 ? item.items[0] : undefined,
  );
  return rows.every((row) => row !== undefined) ? rows : items;
}

/** `\text{(E)}` has lost its command already; `(E)` and `E` are the same choice. */
function folded(text: string): string {
  const plain = text.replace(/\s+/g, '').toLowerCase();
  return /^\([a-z]\)$/.test(plain) ? plain.slice(1, -1) : plain;
}
