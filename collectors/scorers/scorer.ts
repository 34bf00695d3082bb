import type { JsonValue } from '../../core/index.js';
import type { JudgeFailure } from '../judge/judge.js';
import type { Sample } from '../sample.js';

export type Score =
  | {
      readonly value: 0 | 1;
      readonly reason: string;
      readonly evidence?: JsonValue | undefined;
      readonly failure?: undefined;
    }
  /** Nobody knows: the sample waits. */
  | { readonly failure: JudgeFailure };

/** Says whether a run did what its task asked. */
export interface Scorer {
  /** Kebab-case: `"math"`. It stands in the outcome. */
  readonly name: string;
  /** Everything that its scores depend on besides the sample. */
  readonly options: JsonValue;
  /** @returns nothing for a sample that is not for this scorer. Throws nothing but the signal's reason. */
  score(sample: Sample, signal: AbortSignal): Promise<Score | undefined>;
}
