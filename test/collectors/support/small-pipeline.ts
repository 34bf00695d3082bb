import { setTimeout } from 'node:timers/promises';
import { writeJsonLines } from '../../../collectors/exporters/json-lines.js';
import type { PipelineOptions } from '../../../collectors/pipeline.js';
import type { Sample } from '../../../collectors/sample.js';
import type { Source } from '../../../collectors/source.js';
import type { Stage } from '../../../collectors/stage.js';
import { sampleOf } from './samples.js';

export const SAMPLES = 60;

/** Runs of 60 kB each, so that a step's file is some blocks long. U+2028 is a line's end to some readers. */
export function sourceOf(count = SAMPLES, text = 'What is said. '): Source {
  return {
    name: 'ingest',
    options: { count },
    fingerprint: async () => text,
    async *read() {
      for (let at = 0; at < count; at++) {
        const content = `${at}\u2028${text.repeat(4_000)}`;
        const sample = sampleOf(`run-${at}`, { turns: [{ agent: 'user', kind: 'user', content }] });
        yield { samples: [sample], decisions: [] };
      }
    },
    report: () => ({ found: { read: count }, whole: { read: count, of: text.length } }),
  };
}

export interface StageHooks {
  readonly options?: { readonly seed: number };
  readonly onProcess?: (sample: Sample) => void;
}

/** Drops every fifth run, makes two of every seventh, and takes its time with some. */
export function sortingStage({ options = { seed: 1 }, onProcess }: StageHooks = {}): Stage {
  return {
    name: 'sorting',
    options,
    concurrency: 3,
    async process(sample) {
      onProcess?.(sample);
      const number = Number(sample.id.slice('run-'.length));
      if (number % 3 === 0) await setTimeout(number % 4);
      const rule = 'fifth';
      if (number % 5 === 0)
        return { samples: [], decisions: [{ id: sample.id, rule, verdict: 'drop', reason: 'divisible' }] };
      const again = number % 7 === 0 ? [{ ...sample, id: `${sample.id}-again` }] : [];
      const decision = { id: sample.id, rule, verdict: 'keep', reason: `seed ${options.seed}` } as const;
      return { samples: [sample, ...again], decisions: [decision] };
    },
  };
}

/** Numbers the samples by their ids, which takes a look at all of them. */
export function numberingStage({ onProcess }: StageHooks = {}): Stage {
  let places = new Map<string, number>();
  return {
    name: 'numbering',
    options: {},
    async prepare(samples) {
      const ids = (await Array.fromAsync(samples)).map(({ id }) => id).sort();
      places = new Map(ids.map((id, at) => [id, at]));
      return { samples: ids.length };
    },
    async process(sample) {
      onProcess?.(sample);
      return { samples: [{ ...sample, group: `${places.get(sample.id)}` }], decisions: [] };
    },
  };
}

export function smallPipeline(folder: string, changes: Partial<PipelineOptions> = {}): PipelineOptions {
  return {
    source: sourceOf(),
    stages: [sortingStage(), numberingStage()],
    exporters: [
      {
        name: 'ids',
        options: {},
        async write(samples, exports) {
          async function* ids() {
            for await (const { id, group } of samples) yield { id, group };
          }
          return { lines: await writeJsonLines(`${exports}/ids.jsonl`, ids()) };
        },
      },
    ],
    folder,
    ...changes,
  };
}
