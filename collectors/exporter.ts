import type { JsonValue } from '../core/index.js';
import type { StageAccount } from './exporters/card.js';
import type { Sample } from './sample.js';

/** Writes what a pipeline has made in one format: a step after all stages. */
export interface Exporter {
  /** Kebab-case: `"aftraj"`. */
  readonly name: string;
  /** Everything that its files depend on besides the samples. */
  readonly options: JsonValue;
  /**
   * Writes its files whole or not at all.
   * @param folder shared by all exporters of a pipeline
   * @returns what the manifest says of them
   */
  write(
    samples: AsyncIterable<Sample>,
    folder: string,
    stages: readonly StageAccount[],
  ): Promise<JsonValue | undefined>;
}
