import { readCollectConfig, stagesOf } from '../collectors/collect-config.js';
import { runQueueWorker } from '../collectors/queue/queue-worker.js';
import { complain } from './complain.js';
import { ExitCode } from './exit-code.js';
import { count } from './figures.js';
import { Progress } from './progress.js';

export interface CollectWorkerOptions {
  readonly queue: string;
  readonly config: string;
}

/** `agentforesight collect-worker`: does the stages' work for whichever `collect --queue` has the same configuration. */
export async function collectWorker(
  { queue, config: file }: CollectWorkerOptions,
  stop: AbortSignal,
): Promise<number> {
  const config = await readCollectConfig(file);
  // Stages that keep a published split look at the input, which is the coordinator's, and are done there.
  const stages = await stagesOf(config, file, { testRunIds: async () => new Set() });
  const bar = new Progress('samples done', { isAlone: true });
  let done = 0;
  try {
    await runQueueWorker({
      connectionString: queue,
      stages,
      signal: stop,
      onResult: (stage) => bar.show(++done, stage),
    });
  } finally {
    bar.end();
    complain(`${count(done, 'sample')} done`);
  }
  return ExitCode.interrupted;
}
