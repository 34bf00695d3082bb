import type { ComputeEngine, MathJsonExpression } from '@cortex-js/compute-engine';

/** What an expression is worth at a point. */
interface Complex {
  readonly re: number;
  readonly im: number;
}

/** What is evaluated. Sums, integrals and the like would let an agent's text compute for as long as it wants. */
const FUNCTIONS = new Set(
  `Add Subtract Negate Multiply Divide Rational Power Root Sqrt Square Exp Ln Log Lb Abs Complex Delimiter
   Sin Cos Tan Cot Sec Csc Arcsin Arccos Arctan Sinh Cosh Tanh Factorial Binomial Half BaseForm Floor Ceil`.split(
    /\s+/,
  ),
);
const CONSTANTS = [
  'Pi',
  'ExponentialE',
  'ImaginaryUnit',
  'PositiveInfinity',
  'NegativeInfinity',
  'GoldenRatio',
  'NaN',
];

/** Whole numbers that make a function expensive to evaluate. */
const LARGEST_EXPONENT = 1_000;
const LARGEST_NESTED_EXPONENT = 16;
const LARGEST_FACTORIAL = 170;

const LONGEST = 1_000;
const TOLERANCE = 1e-8;

/** Where expressions with variables are compared: signs of both kinds, and nothing that anything is special at. */
const POINTS = [
  [0.7309417, 1.2718003, 2.1390551, 0.3170329],
  [-1.1903127, 0.4407181, 1.6180027, -0.7390853],
  [1.9021299, -0.8346269, -0.5772157, 1.4142713],
];

/** Compares expressions by what they are worth, at points where they hold variables. */
export class Expressions {
  readonly #engine: ComputeEngine;

  private constructor(engine: ComputeEngine) {
    this.#engine = engine;
  }

  /** Takes most of a second, once. */
  static async load(): Promise<Expressions> {
    const { ComputeEngine } = await import('@cortex-js/compute-engine');
    return new Expressions(new ComputeEngine());
  }

  /** Whether `one`, `scale` times, is the other: `0.1` is `10` by a scale of 100. */
  areEqual(one: string, other: string, scale = 1): boolean {
    const isEqual = ([a, b]: readonly [Complex, Complex]) =>
      isNear({ re: a.re * scale, im: a.im * scale }, b);
    return this.#values(one, other)?.every(isEqual) ?? false;
  }

  /** Whether two equations, each as its left side less its right, are each other's multiples. */
  areProportional(one: string, other: string): boolean {
    const pairs = this.#values(one, other) ?? [];
    const ratios = pairs.map(([a, b]) => a.re / b.re);
    const [first] = ratios;
    return (
      first !== undefined &&
      Number.isFinite(first) &&
      first !== 0 &&
      ratios.length > 1 &&
      ratios.every((ratio) => isNear({ re: ratio, im: 0 }, { re: first, im: 0 }))
    );
  }

  /** Both at the same points; undefined where one cannot be read, or evaluated. */
  #values(one: string, other: string): readonly (readonly [Complex, Complex])[] | undefined {
    if (Math.max(one.length, other.length) > LONGEST) return undefined;
    // What the engine learns of a symbol from one answer must not bear on the next.
    this.#engine.pushScope();
    try {
      const [a, b] = [this.#parsed(one), this.#parsed(other)];
      if (!a || !b) return undefined;
      const names = [...new Set([...a.symbols, ...b.symbols])]
        .filter((name) => !CONSTANTS.includes(name))
        .toSorted();
      const points = names.length === 0 ? POINTS.slice(0, 1) : POINTS;
      const pairs = points.map((point) => {
        const at = Object.fromEntries(
          names.map((name, index) => [
            name,
            (point[index % point.length] ?? 0) + Math.floor(index / point.length),
          ]),
        );
        return [a, b].map((expression) => expression.subs(at).N()).map(({ re, im }) => ({ re, im })) as [
          Complex,
          Complex,
        ];
      });
      const usable = pairs.filter(([x, y]) => !Number.isNaN(x.re) && !Number.isNaN(y.re));
      return usable.length === pairs.length || usable.length > 1 ? usable : undefined;
    } catch {
      // The engine throws at some texts that are no mathematics.
      return undefined;
    } finally {
      this.#engine.popScope();
    }
  }

  #parsed(text: string) {
    const expression = this.#engine.parse(text, { strict: false });
    return expression !== null && isCheap(expression.json, Number.POSITIVE_INFINITY) ? expression : undefined;
  }
}

/** @param largest the largest whole number that may stand here */
function isCheap(json: MathJsonExpression, largest: number): boolean {
  if (typeof json === 'number') return Math.abs(json) <= largest;
  if (typeof json === 'string') return !/^['"]/.test(json);
  if (!Array.isArray(json))
    return typeof json === 'object' && 'num' in json && Math.abs(Number(json.num)) <= largest;
  const [name, ...operands] = json as [string, ...MathJsonExpression[]];
  if (!FUNCTIONS.has(name)) return false;
  if (name === 'Factorial' || name === 'Binomial')
    return operands.every((operand) => typeof operand === 'number' && Math.abs(operand) <= LARGEST_FACTORIAL);
  const [first, ...others] = operands;
  if (name !== 'Power') return operands.every((operand) => isCheap(operand, largest));
  const exponent = largest === Number.POSITIVE_INFINITY ? LARGEST_EXPONENT : LARGEST_NESTED_EXPONENT;
  return (
    first !== undefined && isCheap(first, largest) && others.every((operand) => isCheap(operand, exponent))
  );
}

function isNear(one: Complex, other: Complex): boolean {
  if (!Number.isFinite(one.re) || !Number.isFinite(other.re)) return one.re === other.re;
  const size = Math.max(Math.hypot(one.re, one.im), Math.hypot(other.re, other.im));
  return Math.hypot(one.re - other.re, one.im - other.im) <= TOLERANCE * Math.max(size, TOLERANCE);
}
