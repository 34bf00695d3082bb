import { setTimeout } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import type { Stage, StageResult } from '../stage.js';
import type { Batch, BatchStore } from './batch-store.js';

/** What a job is about: the sample in this place of its batch. */
export interface JobData {
  readonly at: number;
}

/** Where nothing is to be done, or no result is there yet. */
export const PAUSE_MS = 200;

export interface Hands {
  readonly boss: PgBoss;
  readonly store: BatchStore;
  /** The stage that the batch is about, prepared. */
  readonly stage: Stage;
  readonly batch: Batch;
  /** The lease is renewed three times as often. */
  readonly leaseSeconds: number;
  /** What is under way is put back. */
  readonly signal: AbortSignal;
  readonly onResult?: ((result: StageResult) => void) | undefined;
}

/**
 * Works on a batch, on as many samples at once as its stage allows, until the batch is no longer open or the signal comes.
 * @throws what the stage throws, having marked the batch as failed
 */
export async function takeJobs(hands: Hands): Promise<void> {
  const { boss, store, stage, batch, leaseSeconds } = hands;
  const over = new AbortController();
  const signal = AbortSignal.any([hands.signal, over.signal]);
  const held = new Map<string, Job<JobData>>();
  const renewal = setInterval(
    () => {
      // A lease that could not be renewed costs the work twice, no more.
      if (held.size > 0) boss.touch(batch.queue, [...held.values()]).catch(() => {});
    },
    (leaseSeconds * 1_000) / 3,
  );
  const lanes = Array.from({ length: stage.concurrency ?? 1 }, lane);
  try {
    await Promise.all([...lanes, watch()]);
  } finally {
    over.abort();
    clearInterval(renewal);
    await Promise.allSettled(lanes);
  }

  /** Also ends what is under way when another has failed, or everything is there. */
  async function watch(): Promise<void> {
    while (!signal.aborted) {
      if ((await store.stateOf(batch))?.state !== 'open') over.abort();
      else await setTimeout(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }

  async function lane(): Promise<void> {
    while (!signal.aborted) {
      const [job] = await whileOpen(boss.fetch<JobData>(batch.queue, { batchSize: 1 }), []);
      if (!job) {
        await setTimeout(PAUSE_MS, undefined, { signal }).catch(() => {});
        continue;
      }
      held.set(job.id, job);
      try {
        await work(job);
      } finally {
        held.delete(job.id);
      }
    }
  }

  async function work(job: Job<JobData>): Promise<void> {
    const { at } = job.data;
    const sample = await whileOpen(store.sampleToDo(batch, at), undefined);
    if (sample) {
      let result: StageResult;
      try {
        result = await stage.process(sample, signal);
        // What a stage makes of being stopped is no result.
        signal.throwIfAborted();
      } catch (error) {
        await whileOpen(boss.fail(batch.queue, job), undefined);
        if (signal.aborted) return;
        const what = error instanceof Error ? error.message : String(error);
        await store.setState(batch, 'failed', `${sample.id}: ${what}`);
        throw error;
      }
      await store.putResult(batch, at, JSON.stringify(result));
      hands.onResult?.(result);
    }
    await whileOpen(boss.complete(batch.queue, job), undefined);
  }

  /** A coordinator that is done takes the queue away under the workers' hands: that is no fault. */
  async function whileOpen<Value>(promise: Promise<Value>, otherwise: Value): Promise<Value> {
    try {
      return await promise;
    } catch (error) {
      if ((await store.stateOf(batch))?.state === 'open') throw error;
      over.abort();
      return otherwise;
    }
  }
}
