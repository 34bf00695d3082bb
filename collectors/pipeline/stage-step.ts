import type { Sample } from '../sample.js';
import type { Stage, StageResult } from '../stage.js';
import { digestOf } from './digest.js';
import { isUndecided } from './result-counts.js';
import { readResults, samplesIn, type WrittenResult } from './results-file.js';
import type { Step, StepContext, StepOutcome } from './run-step.js';
import type { StageWork } from './workforce.js';

/** A stage on the results of the step before it. */
export function stageStep(stage: Stage, before: StepOutcome, context: StepContext): Step {
  const { signal, workforce } = context;
  const { name, options } = stage;
  const input = before.manifest.file?.sha256 ?? '';
  const total = before.manifest.counts?.out;
  const samples = () => samplesIn(before.results);
  const work: Omit<StageWork, 'isDue'> = { stage, key: digestOf([name, options, input]), samples, signal };

  async function* seen(): AsyncGenerator<Sample> {
    let done = 0;
    const tell = () => context.onProgress({ step: name, phase: 'prepare', done, total, counts: undefined });
    tell();
    for await (const sample of samples()) {
      signal.throwIfAborted();
      yield sample;
      done++;
      tell();
    }
  }

  return {
    name,
    options,
    input,
    total,
    prepare: async () => stage.prepare?.(seen(), signal),
    results: (from) => workforce.process({ ...work, isDue: (at) => at >= from }),
    async *retried(results, upTo): AsyncGenerator<StageResult | WrittenResult> {
      const waiting = await undecidedIn(results, upTo);
      const key = digestOf([work.key, [...waiting]]);
      const again = workforce.process({ ...work, key, isDue: (at) => waiting.has(at) });
      try {
        let at = 0;
        for await (const written of readResults(results)) {
          const { value } = waiting.has(at++) ? await again.next() : { value: written };
          if (value) yield value;
        }
        // So that it ends as it would by itself.
        await again.next();
      } finally {
        await again.return(undefined);
      }
    },
  };
}

/** Places of the undecided among so many of the first. */
async function undecidedIn(results: string, upTo: number): Promise<ReadonlySet<number>> {
  const places = new Set<number>();
  let at = 0;
  for await (const { result } of readResults(results)) {
    if (at >= upTo) break;
    if (isUndecided(result)) places.add(at);
    at++;
  }
  return places;
}
