import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCollectConfig, stagesOf } from '../collectors/collect-config.js';
import { judgeFrom } from '../collectors/judge/judge-config.js';
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
  // Its own: answers quote runs, and a cache is one process's.
  const folder = await mkdtemp(path.join(tmpdir(), 'agentforesight-worker-'));
  const { env } = process;
  const judge = config.judge && judgeFrom(config.judge, folder, env);
  // A stage that keeps a published split looks at the input, which is the coordinator's, and is done there.
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
    await rm(folder, { recursive: true, force: true });
    complain(`${count(done, 'sample')} done`);
  }
  return ExitCode.interrupted;
}
