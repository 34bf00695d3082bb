import { existsSync } from 'node:fs';
import path from 'node:path';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import { readWhoAndWhenFolder } from '../../../collectors/importers/who-and-when.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';

/** Fewer turns would show little of what a cache saves. */
const FEWEST_TURNS = 8;

const CORPORA = [
  { at: 'aftraj/aftraj_safe.parquet', read: readAfTraj },
  { at: 'aftraj/aftraj_unsafe.parquet', read: readAfTraj },
  { at: 'who-and-when/algorithm-generated', read: readWhoAndWhenFolder },
];

/** The first file or folder of the datasets that is not there. */
export function missingDataset(folder: string): string | undefined {
  return CORPORA.map(({ at }) => path.join(folder, at)).find((file) => !existsSync(file));
}

/** So many runs of eight turns or more, the shortest first: one safe, one unsafe, one of Who&When, and so on. */
export async function shortRuns(folder: string, count: number): Promise<RecordedRun[]> {
  const perCorpus = await Promise.all(
    CORPORA.map(async ({ at, read }) => {
      const runs = await Array.fromAsync(read(path.join(folder, at)));
      return runs
        .filter(({ turns }) => turns.length >= FEWEST_TURNS)
        .map((run) => ({ run, length: JSON.stringify([run.task, run.tools, run.turns]).length }))
        .toSorted((one, other) => one.length - other.length)
        .map(({ run }) => run);
    }),
  );
  const rounds = Math.ceil(count / perCorpus.length);
  const inTurn = Array.from({ length: rounds }, (_, round) => perCorpus.map((runs) => runs[round])).flat();
  return inTurn.filter((run) => run !== undefined).slice(0, count);
}
