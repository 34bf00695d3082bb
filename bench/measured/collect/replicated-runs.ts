import path from 'node:path';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import type { Sample } from '../../../collectors/sample.js';

const AFTRAJ_FILES = ['aftraj_safe.parquet', 'aftraj_unsafe.parquet'] as const;

/**
 * So many samples from AFTraj's files. When they are used up they are read again, under other ids and with other tasks, so
 * that each round is decoded anew and makes as many groups of its own as the first.
 */
export async function* replicatedRuns(folder: string, count: number): AsyncGenerator<Sample> {
  let left = count;
  for (let round = 0; left > 0; round++)
    for (const name of AFTRAJ_FILES)
      for await (const run of readAfTraj(path.join(folder, name))) {
        if (left-- <= 0) return;
        const { runId, task, turns, source, quirks: _quirks, recorded: _recorded, ...others } = run;
        const again = round === 0 ? '' : ` (round ${round})`;
        const [first, ...later] = turns;
        yield {
          ...others,
          id: runId + again,
          task: task + again,
          turns: first ? [{ ...first, content: first.content + again }, ...later] : [],
          provenance: { format: 'aftraj', source, licence: 'CC-BY-4.0' },
        };
      }
}
