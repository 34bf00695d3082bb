import type { Sample } from '../sample.js';
import type { Stage, StageResult } from '../stage.js';
import { inOrder } from './in-order.js';
import { isUndecided } from './result-counts.js';
import { readResults, samplesIn, type WrittenResult } from './results-file.js';
import type { Step, StepContext, StepOutcome } from './run-step.js';

/** A stage on the results of the step before it. */
export function stageStep(stage: Stage, before: StepOutcome, context: StepContext): Step {
  const { signal } = context;
  const { name, concurrency = 1 } = stage;
  const total = before.manifest.counts?.out;
  const process = async (sample: Sample) => stage.process(sample, signal);

  async function* seen(): AsyncGenerator<Sample> {
    let done = 0;
    const tell = () => context.onProgress({ step: name, phase: 'prepare', done, total, counts: undefined });
    tell();
    for await (const sample of samplesIn(before.results)) {
      signal.throwIfAborted();
      yield sample;
      done++;
      tell();
    }
  }

  return {
    name,
    options: stage.options,
    input: before.manifest.file?.sha256 ?? '',
    total,
    prepare: async () => stage.prepare?.(seen(), signal),
    results: (from) => inOrder(withoutFirst(from, samplesIn(before.results)), concurrency, process),
    retried(results, upTo) {
      const again = async ({ sample, written, at }: Earlier): Promise<StageResult | WrittenResult> =>
        at < upTo && isUndecided(written.result) ? process(sample) : written;
      return inOrder(withResults(samplesIn(before.results), results), concurrency, again);
    },
  };
}

async function* withoutFirst(count: number, samples: AsyncIterable<Sample>): AsyncGenerator<Sample> {
  let at = 0;
  for await (const sample of samples) if (at++ >= count) yield sample;
}

interface Earlier {
  readonly sample: Sample;
  readonly written: WrittenResult;
  readonly at: number;
}

async function* withResults(samples: AsyncIterable<Sample>, results: string): AsyncGenerator<Earlier> {
  const written = readResults(results);
  let at = 0;
  for await (const sample of samples) {
    const { value } = await written.next();
    if (value) yield { sample, written: value, at: at++ };
  }
}
