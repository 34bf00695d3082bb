import { z } from 'zod';
import { jsonValues } from '../../collectors/importers/json-values.js';
import { validate } from '../../collectors/importers/validate.js';
import { InputError } from '../../core/index.js';
import type { Prediction } from '../prediction.js';
import { predictionIn } from './per-sample-row.js';

/** Predictions as the paper's released harness writes them, `per_sample.jsonl`: lines of configuration, and one line a run. */
export interface PerSampleFile {
  readonly model: string;
  /** The harness knows no other. */
  readonly protocol: 'official';
  readonly predictions: readonly Prediction[];
  /** What a reader of the scores should know of the file, each in one line. It may quote the file. */
  readonly remarks: readonly string[];
}

const configSchema = z.looseObject({
  _record_type: z.literal('config'),
  model: z.string().min(1),
  paper_test_split: z.boolean().optional(),
});

type Config = z.infer<typeof configSchema>;

/** Whether a file whose first line holds this is one of them. */
export function isPerSample(first: unknown): boolean {
  return configSchema.safeParse(first).success;
}

/** @throws InputError */
export async function readPerSampleFile(file: string): Promise<PerSampleFile> {
  const configs: Config[] = [];
  const predictions = new Map<string, Prediction>();
  for (const { value, at } of await jsonValues(file)) {
    if (typeof value === 'object' && value !== null && '_record_type' in value) {
      configs.push(validate(configSchema, value, at));
      continue;
    }
    const prediction = predictionIn(value, at, configs.at(-1)?.paper_test_split ? 'test' : undefined);
    const { runId } = prediction.truth;
    if (predictions.has(runId))
      throw new InputError({ ...at, field: 'conv_id' }, `${runId} is there twice`, 'Remove one of the lines');
    predictions.set(runId, prediction);
  }
  const [first, ...others] = configs;
  if (!first || predictions.size === 0)
    throw new InputError({ file }, first ? 'no run' : 'no configuration line', 'Write the file again');
  const other = others.find(({ model }) => model !== first.model);
  if (other)
    throw new InputError({ file }, `two models, ${first.model} and ${other.model}`, 'Give each its own file');
  const read = [...predictions.values()];
  return { model: first.model, protocol: 'official', predictions: read, remarks: remarks(configs, read) };
}

function remarks(configs: readonly Config[], predictions: readonly Prediction[]): readonly string[] {
  const invalid = predictions.filter(({ audits }) => audits.at(-1)?.failure).length;
  return [
    `${invalid} of ${predictions.length} last replies were invalid, which the harness counted as Continue; of earlier replies it does not tell`,
    'the time of a run is shared out evenly among its calls',
    ...configs
      .slice(1)
      .map((config, at) => changes(configs[at] as Config, config))
      .filter((changed) => changed !== '')
      .map((changed) => `taken up again with other settings: ${changed}`),
  ];
}

function changes(before: Config, after: Config): string {
  return Object.keys(after)
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => `${name} ${JSON.stringify(before[name])}, then ${JSON.stringify(after[name])}`)
    .join('; ');
}
