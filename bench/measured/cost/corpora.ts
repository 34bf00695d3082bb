import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import { readWhoAndWhen } from '../../../collectors/importers/who-and-when.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';

export interface Corpora {
  /** Who&When, algorithm-generated and hand-crafted. */
  readonly whoAndWhenAG: readonly RecordedRun[];
  readonly whoAndWhenHC: readonly RecordedRun[];
  /** AFTraj-2K, all rows: training and test. */
  readonly aftraj: readonly RecordedRun[];
}

/** The corpora as published, in `aftraj/` and `who-and-when/` of a folder. @throws InputError at a file that cannot be read */
export async function readCorpora(folder: string): Promise<Corpora> {
  const safe = await collect(readAfTraj(path.join(folder, 'aftraj/aftraj_safe.parquet')));
  const unsafe = await collect(readAfTraj(path.join(folder, 'aftraj/aftraj_unsafe.parquet')));
  return {
    whoAndWhenAG: await whoAndWhen(path.join(folder, 'who-and-when/algorithm-generated')),
    whoAndWhenHC: await whoAndWhen(path.join(folder, 'who-and-when/hand-crafted')),
    aftraj: [...safe, ...unsafe],
  };
}

async function whoAndWhen(folder: string): Promise<readonly RecordedRun[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const inOrder = files.sort(new Intl.Collator('en', { numeric: true }).compare);
  return Promise.all(inOrder.map((file) => readWhoAndWhen(path.join(folder, file))));
}

async function collect(runs: AsyncIterable<RecordedRun>): Promise<RecordedRun[]> {
  const collected: RecordedRun[] = [];
  for await (const run of runs) collected.push(run);
  return collected;
}
