import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { InputError } from '../core/index.js';
import type { Exporter } from './exporter.js';
import { exporterKinds } from './exporters.js';
import { fieldPath } from './importers/validate.js';
import { judgeConfigSchema } from './judge/judge-config.js';
import type { Stage } from './stage.js';
import { type StageDeps, stageKinds } from './stages.js';

const configSchema = z.strictObject({
  ingest: z
    .strictObject({
      licence: z.string().min(1).optional(),
      sample: z.number().gt(0).max(1).optional(),
      consent: z.enum(['recorded', 'assume']).optional(),
      outcomes: z
        .array(z.enum(['completed', 'halted', 'failed', 'aborted', 'interrupted', 'paused']))
        .min(1)
        .optional(),
      redact: z.boolean().optional(),
    })
    .default({}),
  /** The model that stages ask. */
  judge: judgeConfigSchema.optional(),
  /** In their order. `stage` names it, the rest are its options. */
  stages: z.array(z.looseObject({ stage: z.string() })),
  exports: z.array(z.looseObject({ export: z.string() })).default([]),
});

/** What `agentforesight collect --config` takes. */
export type CollectConfig = z.output<typeof configSchema>;

/** Needs no model. */
export const defaultConfig: CollectConfig = {
  ingest: {},
  stages: [
    { stage: 'outcome', scorers: [{ scorer: 'feedback' }] },
    { stage: 'filter' },
    { stage: 'split' },
    { stage: 'scrub' },
  ],
  exports: [{ export: 'aftraj' }, { export: 'card' }],
};

/** @throws InputError naming the field */
export async function readCollectConfig(file: string): Promise<CollectConfig> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new InputError({ file }, `cannot be read: ${cause.message}`, 'Check the path', { cause });
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new InputError({ file }, `is not JSON: ${(cause as Error).message}`, 'Repair it', { cause });
  }
  return checked(configSchema, json, { file, field: '' });
}

/** @param file where the configuration was read, for messages @throws InputError naming the field */
export function stagesOf(config: CollectConfig, file: string, deps: StageDeps): Promise<readonly Stage[]> {
  return Promise.all(
    config.stages.map(async ({ stage, ...given }, at) => {
      const place = { file, field: `stages[${at}]` };
      const kind = known(stageKinds, stage, { ...place, field: `${place.field}.stage` });
      return kind.create(checked(kind.options, given, place), deps);
    }),
  );
}

export function exportersOf(config: CollectConfig, file: string): readonly Exporter[] {
  return config.exports.map(({ export: name, ...given }, at) => {
    const place = { file, field: `exports[${at}]` };
    const kind = known(exporterKinds, name, { ...place, field: `${place.field}.export` });
    return kind.create(checked(kind.options, given, place));
  });
}

interface Place {
  readonly file: string;
  readonly field: string;
}

function known<Kind>(kinds: Readonly<Record<string, Kind>>, name: string, place: Place): Kind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind) return kind;
  const names = Object.keys(kinds).join(', ');
  throw new InputError(place, `there is none named ${JSON.stringify(name)}`, `Known are ${names}`);
}

function checked<Value>(schema: z.ZodType<Value>, value: unknown, { file, field }: Place): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = [field, fieldPath(issue?.path ?? [])].filter(Boolean).join('.') || undefined;
  throw new InputError(
    { file, field: at },
    issue?.message ?? 'wrong shape',
    'See docs/collectors/pipeline.md',
    {
      cause: parsed.error,
    },
  );
}
