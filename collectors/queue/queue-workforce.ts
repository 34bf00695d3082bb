import { hash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { writeWhole } from '../exporters/write-whole.js';
import { digestOf } from '../pipeline/digest.js';
import type { WrittenResult } from '../pipeline/results-file.js';
import { inProcess, type StageWork, type Workforce } from '../pipeline/workforce.js';
import { type Batch, BatchStore, type PlacedSample, stageKeyOf } from './batch-store.js';
import { openQueue } from './open-queue.js';
import { LEASE_SECONDS, type QueueOptions } from './queue-options.js';
import { type JobData, PAUSE_MS, takeJobs } from './take-jobs.js';

/** A sample whose worker died so often is given up: it may be what kills them. */
const MOST_RETRIES = 4;

/** Of pg-boss's own limit on a job, which is not ours: a lease has no end while it is renewed. */
const LONGEST_JOB_SECONDS = 23 * 60 * 60;

const LOAD_ROWS = 1_000;
const LOAD_BYTES = 8 * 2 ** 20;

export interface QueueWorkforceOptions extends QueueOptions {
  /** The pipeline's. Says whose batches these are, in a file `.queue` while there are any. */
  readonly folder: string;
}

/** A workforce to be closed once the pipeline has ended, well or not. */
export interface QueueWorkforce extends Workforce {
  close(): Promise<void>;
}

/**
 * Puts every sample of a stage as a job into a queue on Postgres, works on it here too, and gives out the results of all
 * who work on it. What has been done when the pipeline is stopped stays in the database, and is taken up. Stages without a
 * `concurrency` have nothing to wait for, and are done here: their work is less than the way to the database.
 * @throws SetupError when the server cannot be reached
 */
export async function queueWorkforce(options: QueueWorkforceOptions): Promise<QueueWorkforce> {
  const { folder, leaseSeconds = LEASE_SECONDS } = options;
  const boss = await openQueue(options);
  const store = new BatchStore(boss);
  const file = path.join(folder, '.queue');
  await mkdir(folder, { recursive: true });
  const owner = await ownerIn(file);
  await store.closeAllOf(owner);
  return {
    process: (work) =>
      work.stage.concurrency === undefined
        ? inProcess.process(work)
        : processed(work, { boss, store, owner, leaseSeconds }),
    async close() {
      try {
        if (!(await store.removeDone(owner))) await rm(file, { force: true });
      } finally {
        await boss.stop({ graceful: false });
      }
    },
  };
}

interface Coordinator {
  readonly boss: PgBoss;
  readonly store: BatchStore;
  readonly owner: string;
  readonly leaseSeconds: number;
}

async function* processed(work: StageWork, coordinator: Coordinator): AsyncGenerator<WrittenResult> {
  const { boss, store, owner, leaseSeconds } = coordinator;
  const { stage, signal } = work;
  const batch: Batch = {
    key: digestOf([owner, work.key]),
    owner,
    stage: stage.name,
    stageKey: stageKeyOf(stage),
    queue: `stage-${randomUUID()}`,
  };
  const left = await store.begin(batch);
  if (left !== undefined) await boss.deleteQueue(left).catch(() => {});
  await boss.createQueue(batch.queue, {
    heartbeatSeconds: leaseSeconds,
    expireInSeconds: LONGEST_JOB_SECONDS,
    retryLimit: MOST_RETRIES,
  });
  const over = new AbortController();
  const own = {
    signal: AbortSignal.any([signal, over.signal]),
    fault: undefined as { error: unknown } | undefined,
  };
  let working: Promise<void> | undefined;
  try {
    const due = await load(work, batch, store);
    const missing = await store.missing(batch);
    for (let at = 0; at < missing.length; at += LOAD_ROWS) {
      const jobs = missing
        .slice(at, at + LOAD_ROWS)
        .map((place) => ({ data: { at: place } satisfies JobData }));
      await boss.insert(batch.queue, jobs);
    }
    await store.setState(batch, 'open');
    working = takeJobs({ boss, store, stage, batch, leaseSeconds, signal: own.signal }).catch((error) => {
      own.fault = { error };
    });
    yield* results(due);
    await store.setState(batch, 'done');
  } finally {
    await store.setState(batch, 'closed');
    over.abort();
    await working;
    await boss.deleteQueue(batch.queue).catch(() => {});
  }

  async function* results(due: number): AsyncGenerator<WrittenResult> {
    let [given, last, looks] = [0, -1, 0];
    while (given < due) {
      signal.throwIfAborted();
      const page = await store.results(batch, last);
      for (const { at, result } of page) {
        if (result === null) break;
        yield { result: JSON.parse(result), line: Buffer.from(result) };
        [given, last] = [given + 1, at];
      }
      if (page[0]?.result != null) continue;
      if (own.fault) throw own.fault.error;
      await requireWorkable(page[0]?.at, looks++);
      await setTimeout(PAUSE_MS);
    }
  }

  /** @throws Error when a worker's stage threw, or the sample that is waited for has been given up */
  async function requireWorkable(at: number | undefined, looks: number): Promise<void> {
    const state = await store.stateOf(batch);
    if (state?.state === 'failed') throw new Error(`${stage.name}: ${state.fault}`);
    if (state?.state !== 'open' || at === undefined)
      throw new Error(`${stage.name}: the batch has been removed from the queue`);
    if (looks % 20 !== 19) return;
    const [job] = await boss.findJobs<JobData>(batch.queue, { data: { at } });
    if (job?.state !== 'failed') return;
    const times = MOST_RETRIES + 1;
    throw new Error(
      `${stage.name}: given up on the sample in place ${at}, whose worker has died ${times} times`,
    );
  }
}

/** Puts the samples into the database: all of them for a stage that looks at all, else those that are due. @returns how many are */
async function load(
  { stage, samples, isDue, signal }: StageWork,
  batch: Batch,
  store: BatchStore,
): Promise<number> {
  let [at, due, bytes] = [0, 0, 0];
  let chunk: PlacedSample[] = [];
  const flush = async () => {
    await store.addSamples(batch, chunk);
    [chunk, bytes] = [[], 0];
  };
  for await (const sample of samples()) {
    signal.throwIfAborted();
    const placed = { at, isDue: isDue(at), text: '' };
    at++;
    if (placed.isDue) due++;
    else if (!stage.prepare) continue;
    const text = JSON.stringify(sample);
    chunk.push({ ...placed, text });
    bytes += text.length;
    if (chunk.length >= LOAD_ROWS || bytes >= LOAD_BYTES) await flush();
  }
  await flush();
  return due;
}

async function ownerIn(file: string): Promise<string> {
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found !== '') return found;
  const owner = hash('sha256', randomUUID());
  await writeWhole(file, (partial) => writeFile(partial, owner));
  return owner;
}
