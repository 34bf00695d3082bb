import path from 'node:path';
import { z } from 'zod';
import type { JsonValue } from '../core/index.js';
import type { Exporter } from './exporter.js';
import { exportAfTraj } from './exporters/aftraj.js';
import { exportAtif } from './exporters/atif.js';
import { exportCard } from './exporters/card.js';
import { exportPreferences } from './exporters/preferences.js';
import { exportVerl } from './exporters/verl.js';

/** How an exporter is made from a configuration. */
export interface ExporterKind<Options = unknown> {
  readonly options: z.ZodType<Options>;
  create(options: Options): Exporter;
}

const none = z.strictObject({});

/** Every export format. */
export const exporterKinds = {
  aftraj: kind('aftraj', none, (samples, folder) => exportAfTraj(samples, folder)),
  verl: kind(
    'verl',
    z.strictObject({ dataSource: z.string().min(1).optional() }),
    (samples, folder, { dataSource }) => exportVerl(samples, path.join(folder, 'verl'), { dataSource }),
  ),
  preferences: kind('preferences', none, async (samples, folder) => ({
    pairs: await exportPreferences(samples, path.join(folder, 'preferences.jsonl')),
  })),
  atif: kind('atif', none, async (samples, folder) => ({
    runs: await exportAtif(samples, path.join(folder, 'atif.jsonl')),
  })),
  card: kind(
    'card',
    z.strictObject({
      title: z.string().min(1).default('Collected runs'),
      limits: z.array(z.string()).optional(),
    }),
    async (samples, folder, options, stages) => ({
      runs: await exportCard(samples, path.join(folder, 'README.md'), { ...options, stages }),
    }),
  ),
} satisfies Readonly<Record<string, ExporterKind>>;

type Written = { readonly [name: string]: number };

/** The schema has checked the options by the time that they are handed over. */
function kind<Options extends object>(
  name: string,
  schema: z.ZodType<Options>,
  write: (
    samples: Parameters<Exporter['write']>[0],
    folder: string,
    options: Options,
    stages: Parameters<Exporter['write']>[2],
  ) => Promise<Written | object>,
): ExporterKind {
  return {
    options: schema,
    create: (given) => ({
      name,
      options: given as JsonValue,
      write: async (samples, folder, stages) =>
        (await write(samples, folder, given as Options, stages)) as JsonValue,
    }),
  };
}
