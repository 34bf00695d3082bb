import type { Sample } from '../sample.js';
import type { Stage, StageResult } from '../stage.js';
import { inOrder } from './in-order.js';
import type { WrittenResult } from './results-file.js';

/** What a stage has to do on its input, once it is prepared. */
export interface StageWork {
  readonly stage: Stage;
  /** Another one for other options, other input, or another try. */
  readonly key: string;
  /** The whole input, from its beginning, every time. */
  samples(): AsyncIterable<Sample>;
  /** Whether the sample in this place of the input, 0-based, is to be processed. */
  isDue(at: number): boolean;
  readonly signal: AbortSignal;
}

/** Whoever processes samples: this process, or many. */
export interface Workforce {
  /** A result for every sample that is due, in the order of the input. Throws what the stage throws. */
  process(work: StageWork): AsyncGenerator<StageResult | WrittenResult>;
}

export const inProcess: Workforce = {
  process: ({ stage, samples, isDue, signal }) =>
    inOrder(due(samples(), isDue), stage.concurrency ?? 1, async (sample) => stage.process(sample, signal)),
};

async function* due(samples: AsyncIterable<Sample>, isDue: (at: number) => boolean): AsyncGenerator<Sample> {
  let at = 0;
  for await (const sample of samples) if (isDue(at++)) yield sample;
}
