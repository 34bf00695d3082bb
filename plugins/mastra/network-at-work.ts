import { outcomeAfter, type Runtime } from '../../core/index.js';
import { beginRun } from './begin-run.js';
import { keepHalt } from './halt.js';
import { pastRuns } from './past-runs.js';
import { type Scope, scopes } from './scope.js';

/** What `network` returns: a stream that knows how it ends. */
interface NetworkStream {
  readonly runId: string;
  readonly status: Promise<string>;
}

/**
 * A network is a workflow of Mastra's own, in which a router is asked whom to set to work, and then that agent: each of
 * them is audited as any agent is, and all are one run.
 */
export async function networkAtWork(
  args: readonly unknown[],
  isResumed: boolean,
  outer: Scope | Runtime,
  original: () => Promise<unknown>,
): Promise<unknown> {
  if ('run' in outer) return original();
  const { abortSignal, runId } = (args[1] ?? {}) as {
    readonly abortSignal?: AbortSignal;
    readonly runId?: string;
  };
  const run = beginRun(outer, { input: args[0], abortSignal, resumedId: isResumed ? runId : undefined });
  try {
    const stream = (await scopes.run({ run, site: run.site }, original)) as NetworkStream;
    void stream.status.then(async (status) => {
      const isWaiting = status === 'suspended';
      const stop = await run.end({
        status: isWaiting ? 'interrupted' : status === 'success' ? 'completed' : 'failed',
      });
      if (stop) keepHalt(stream.runId, stop.halt);
      const past = run.asPast();
      if (isWaiting && past) pastRuns(outer).set(stream.runId, past);
    });
    return stream;
  } catch (error) {
    await run.end(outcomeAfter(error, abortSignal));
    throw error;
  }
}
