/**
 * A process of a queue's: `queue-process.ts <connection string> worker|coordinator <moment> [<folder>]`. Says `<stage> <id>`
 * on stdout for every sample that it takes. Moments: `never`, `hang` (at the first sample, for good), `throw` (at the eighth).
 */
import fs from 'node:fs';
import { runPipeline } from '../../../collectors/pipeline.js';
import { runQueueWorker } from '../../../collectors/queue/queue-worker.js';
import { queueWorkforce } from '../../../collectors/queue/queue-workforce.js';
import type { Sample } from '../../../collectors/sample.js';
import { sharedStages } from './shared-stages.js';
import { smallPipeline } from './small-pipeline.js';

const [connectionString = '', role, moment, folder = ''] = process.argv.slice(2);

let taken = 0;

const stages = sharedStages((stage: string, { id }: Sample) => {
  fs.writeSync(1, `${stage} ${id}\n`);
  if (moment === 'hang') return new Promise(() => {});
  if (moment === 'throw' && ++taken === 8) throw new Error('no memory');
  return undefined;
});

if (role === 'worker') {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  await runQueueWorker({ connectionString, stages, leaseSeconds: 10, signal: stop.signal });
} else {
  const workforce = await queueWorkforce({ connectionString, folder, leaseSeconds: 10 });
  await runPipeline(smallPipeline(folder, { stages, workforce }));
  await workforce.close();
}
