import { setTimeout } from 'node:timers/promises';
import { SetupError } from '../../core/index.js';
import type { Stage, StageResult } from '../stage.js';
import { type Batch, BatchStore, stageKeyOf } from './batch-store.js';
import { openQueue } from './open-queue.js';
import { LEASE_SECONDS, type QueueOptions } from './queue-options.js';
import { PAUSE_MS, takeJobs } from './take-jobs.js';

export interface QueueWorkerOptions extends QueueOptions {
  /** As the coordinator has them. */
  readonly stages: readonly Stage[];
  /** Ends the worker. What is under way is put back. */
  readonly signal: AbortSignal;
  /** Called for each result: must be quick. */
  readonly onResult?: ((stage: string, result: StageResult) => void) | undefined;
}

/**
 * Works on whatever pipelines put into the queue, on stages that this process has with the same options, until the signal
 * comes.
 * @throws SetupError when there is nothing but work that it cannot do, or a pipeline that it has worked for comes to such
 * @throws what a stage throws, which stops its pipeline too
 */
export async function runQueueWorker(options: QueueWorkerOptions): Promise<void> {
  const { stages, signal, leaseSeconds = LEASE_SECONDS, onResult } = options;
  const boss = await openQueue(options);
  const store = new BatchStore(boss);
  const mine = new Map(stages.map((stage) => [stageKeyOf(stage), stage]));
  const served = new Set<string>();
  try {
    while (!signal.aborted) {
      const open = await store.open();
      const batch = open.find(({ stageKey }) => mine.has(stageKey));
      const stage = batch && mine.get(batch.stageKey);
      if (!batch || !stage) {
        refuseOthers(open);
        await setTimeout(PAUSE_MS, undefined, { signal }).catch(() => {});
        continue;
      }
      served.add(batch.owner);
      await stage.prepare?.(store.samples(batch), signal);
      const told = (result: StageResult) => onResult?.(stage.name, result);
      await takeJobs({ boss, store, stage, batch, leaseSeconds, signal, onResult: told });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await boss.stop({ graceful: false });
  }

  function refuseOthers(open: readonly Batch[]): void {
    const other = served.size === 0 ? open[0] : open.find(({ owner }) => served.has(owner));
    if (!other) return;
    const what = stages.some(({ name }) => name === other.stage)
      ? `the pipeline in the queue has other options for its stage ${other.stage}`
      : `the pipeline in the queue is at its stage ${other.stage}, which this configuration has not`;
    throw new SetupError('queue', what, 'Give the worker the configuration that collect was given');
  }
}
