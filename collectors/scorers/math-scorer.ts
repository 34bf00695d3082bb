import { z } from 'zod';
import { readOptions } from '../../core/index.js';
import type { Sample } from '../sample.js';
import { finalAnswer } from './final-answer.js';
import { loadMathEquality, type MathEquality } from './math/math-equality.js';
import type { Scorer } from './scorer.js';

const optionsSchema = z.strictObject({ domains: z.array(z.string()).default(['math']) });

export interface MathScorerOptions {
  /** Samples of these domains that have a reference are its own. Default `["math"]`. */
  readonly domains?: readonly string[] | undefined;
}

/**
 * Whether the run's final answer is equivalent to the reference: fractions and decimals, roots, variables, complex numbers,
 * units and percentages, points, sets, intervals and matrices, in LaTeX, SymPy's words or plain ones. A decimal equals a
 * fraction only where it is exact to eight digits.
 * @throws SetupError on an unknown or malformed option
 */
export function mathScorer(options: MathScorerOptions = {}): Scorer {
  const { domains } = readOptions('mathScorer', optionsSchema, options);
  let loading: Promise<MathEquality> | undefined;
  return {
    name: 'math',
    options: { domains },
    async score({ domain = '', reference, turns }: Sample, signal) {
      signal.throwIfAborted();
      if (!reference || !domains.includes(domain)) return undefined;
      const answer = finalAnswer(turns);
      if (answer === undefined) return { value: 0, reason: 'the run gives no answer' };
      loading ??= loadMathEquality();
      const equality = await loading;
      const value = equality.areEqual(reference, answer) ? 1 : 0;
      const evidence = { reference: reference.slice(0, 500), answer: answer.slice(0, 500) };
      return {
        value,
        reason: value === 1 ? 'the answer equals the reference' : 'the answer differs from the reference',
        evidence,
      };
    },
  };
}
