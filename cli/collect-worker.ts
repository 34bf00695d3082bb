import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCollectConfig, stagesOf } from '../collectors/collect-config.js';
import { judgeFrom } from '../collectors/judge-config.js';
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
  const folder = path.join(tmpdir(), 'agentforesight-worker');
  await mkdir(folder, { recursive: true });
  const { env } = process;
  const judge = config.judge && judgeFrom(config.judge, folder, env);
  const stages = await stagesOf(config, file, { judge, folder, env, testRunIds: async () => new Set() });
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
