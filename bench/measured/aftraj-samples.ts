import path from 'node:path';
import { readAfTraj } from '../../collectors/importers/aftraj.js';
import type { Sample } from '../../collectors/sample.js';

/** AFTraj's runs as samples, safe ones first. @param folder as published */
export async function afTrajSamples(folder: string): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const half of ['safe', 'unsafe'])
    for await (const run of readAfTraj(path.join(folder, `aftraj_${half}.parquet`))) {
      const { runId: id, source, task, tools, turns, label, domain } = run;
      samples.push({ id, task, tools, turns, label, domain, provenance: { format: 'aftraj', source } });
    }
  return samples;
}
