import type { JsonValue } from '../core/index.js';
import type { Sample } from './sample.js';

/** Why a stage kept a sample, or did not; all of them are kept, whatever becomes of the sample. */
export interface StageDecision {
  /** The sample that it is about. */
  readonly id: string;
  /** Kebab-case: `"coherence"`. */
  readonly rule: string;
  /** `undecided`: whoever was to decide failed. The sample waits in the stage, and is asked about again on demand. */
  readonly verdict: 'keep' | 'drop' | 'undecided';
  readonly reason: string;
  /** Votes, scores, quotations: whatever the decision was made from. */
  readonly evidence?: JsonValue | undefined;
}

/** What became of one sample: one line of the stage's file, in the order of its input. */
export interface StageResult {
  /** None when it was dropped or waits; several when others were made from it. */
  readonly samples: readonly Sample[];
  readonly decisions: readonly StageDecision[];
}

/**
 * One step of the pipeline. `process` sees one sample and nothing else, so that any number of processes can share a
 * stage; what depends on the whole corpus is found out before, in `prepare`.
 */
export interface Stage {
  /** Names its files. Kebab-case. */
  readonly name: string;
  /** Everything that its results depend on besides its input. Other options make another result: the stage begins anew. */
  readonly options: JsonValue;
  /** Samples that may be under way at once. Results stay in the order of the input. Default: 1. */
  readonly concurrency?: number | undefined;
  /**
   * Reads every sample of the input once. What it finds is a function of them and of the options alone, for a process
   * that takes the work up runs it again. @returns what the manifest says of it
   */
  prepare?(samples: AsyncIterable<Sample>, signal: AbortSignal): Promise<JsonValue | undefined>;
  /** The same result for the same sample, but for models that answer otherwise. May throw: then the whole stage stops. */
  process(sample: Sample, signal: AbortSignal): Promise<StageResult>;
}
