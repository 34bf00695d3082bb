import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type PipelineOptions, runPipeline } from '../../../collectors/pipeline.js';
import { runQueueWorker } from '../../../collectors/queue/queue-worker.js';
import { queueWorkforce } from '../../../collectors/queue/queue-workforce.js';
import { PASSWORD, PostgresServer } from '../../support/postgres-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { folderBytes } from '../support/folder-bytes.js';
import { doubtfulStage, sharedStages } from '../support/shared-stages.js';
import { SAMPLES, smallPipeline, sortingStage } from '../support/small-pipeline.js';

const script = path.join(import.meta.dirname, '../support/queue-process.ts');
const LEASE_SECONDS = 10;

let server: PostgresServer;
let connectionString = '';
let databases = 0;

beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());
beforeEach(async () => {
  connectionString = await server.createDatabase(`queue${databases++}`);
});

function start(role: 'worker' | 'coordinator', moment: string, folder = '') {
  const child = spawn(process.execPath, ['--import', 'tsx', script, connectionString, role, moment, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const process_ = { child, taken: [] as string[], errors: '', closed: once(child, 'close') };
  child.stdout.on('data', (chunk) => process_.taken.push(...`${chunk}`.split('\n').filter(Boolean)));
  child.stderr.on('data', (chunk) => {
    process_.errors += chunk;
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return process_;
}

function ended({ child, closed }: ReturnType<typeof start>, signal: NodeJS.Signals) {
  child.kill(signal);
  return closed;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(5);
}

/** Runs the pipeline by the queue, as its coordinator. */
async function coordinate(folder: string, changes: Partial<PipelineOptions> = {}) {
  const workforce = await queueWorkforce({ connectionString, folder, leaseSeconds: LEASE_SECONDS });
  try {
    return await runPipeline(smallPipeline(folder, { stages: sharedStages(), ...changes, workforce }));
  } finally {
    await workforce.close();
  }
}

async function byFiles(stages = sharedStages()): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  await runPipeline(smallPipeline(folder, { stages }));
  return folderBytes(folder);
}

/** Leaves most to the workers, once they are up. */
const slowly = sharedStages(() => setTimeout(300));

const leftInQueue = () =>
  server.query('select state from agentforesight_queue_v1.stage_batch', connectionString);

describe('a pipeline by a queue on Postgres', () => {
  it('makes the bytes that files make, with two worker processes of which one is killed -9 mid-job', async () => {
    const [one, other] = [start('worker', 'hang'), start('worker', 'never')];
    const folder = temporaryFolder();
    const done = coordinate(folder, { stages: slowly });
    await until(() => one.taken.length === 3);
    const [, signal] = await ended(one, 'SIGKILL');
    expect(signal).toBe('SIGKILL');
    await done;
    expect(folderBytes(folder)).toEqual(await byFiles());
    expect(one.taken).toHaveLength(3);
    expect(other.taken.filter((line) => line.startsWith('sorting')).length).toBeGreaterThan(5);
    expect(other.taken.filter((line) => line.startsWith('numbering')).length).toBeGreaterThan(5);
    expect((await ended(other, 'SIGTERM'))[0]).toBe(0);
    expect(await leftInQueue()).toEqual([]);
  }, 60_000);

  it('is taken up after its coordinator was killed -9, with what workers have done meanwhile', async () => {
    const folder = temporaryFolder();
    const coordinator = start('coordinator', 'never', folder);
    await until(() => coordinator.taken.length > 6);
    await ended(coordinator, 'SIGKILL');
    const worker = start('worker', 'never');
    await until(() => worker.taken.length > 10);
    await ended(worker, 'SIGTERM');
    const sorted: string[] = [];
    await coordinate(folder, {
      stages: sharedStages((stage, { id }) => stage === 'sorting' && sorted.push(id)),
    });
    expect(folderBytes(folder)).toEqual(await byFiles());
    expect(sorted.length).toBeLessThan(SAMPLES - 10);
    expect(await leftInQueue()).toEqual([]);
  }, 60_000);

  it('stops with the error of a stage that throws in a worker, and keeps what was done', async () => {
    const folder = temporaryFolder();
    const worker = start('worker', 'throw');
    await expect(coordinate(folder, { stages: slowly })).rejects.toThrow(/^sorting: run-\d+: no memory$/);
    expect((await worker.closed)[0]).toBe(1);
    expect(worker.errors).toContain('Error: no memory');
    const sorted: string[] = [];
    const stages = sharedStages((stage, { id }) => stage === 'sorting' && sorted.push(id));
    await coordinate(folder, { stages });
    expect(sorted).toContain(worker.taken[7]?.replace('sorting ', ''));
    expect(sorted.length).toBeLessThan(SAMPLES - 4);
    expect(folderBytes(folder)).toEqual(await byFiles());
  }, 60_000);

  it('stops when told to, workers too, and is taken up', async () => {
    const folder = temporaryFolder();
    const worker = start('worker', 'never');
    const stop = new AbortController();
    let taken = 0;
    const stages = sharedStages(() => ++taken === 15 && stop.abort(new Error('stopped')));
    await expect(coordinate(folder, { stages, signal: stop.signal })).rejects.toThrow('stopped');
    const before = worker.taken.length;
    await setTimeout(1_500);
    expect(worker.taken.length).toBeLessThan(before + 6);
    await coordinate(folder);
    expect(folderBytes(folder)).toEqual(await byFiles());
  }, 60_000);

  it('counts the undecided, and asks about them again', async () => {
    const folder = temporaryFolder();
    const [, unsure] = await coordinate(folder, { stages: [doubtfulStage(() => false)] });
    expect(unsure?.counts).toMatchObject({ in: SAMPLES, undecided: SAMPLES / 4, kept: (SAMPLES * 3) / 4 });
    const [, sure] = await coordinate(folder, { stages: [doubtfulStage(() => true)], retryUndecided: true });
    expect(sure?.counts).toMatchObject({ in: SAMPLES, undecided: 0, kept: SAMPLES });
    expect(folderBytes(folder)).toEqual(await byFiles([doubtfulStage(() => true)]));
  }, 60_000);
});

describe('a worker', () => {
  const work = (stages = sharedStages(), signal = new AbortController().signal) =>
    runQueueWorker({ connectionString, stages, leaseSeconds: LEASE_SECONDS, signal });

  it('with other options is refused, and no sample is given to it', async () => {
    const taken: string[] = [];
    const onProcess = ({ id }: { id: string }) => taken.push(id);
    const others = sortingStage({ options: { seed: 2 }, onProcess });
    const refused = Promise.withResolvers<unknown>();
    const stages = sharedStages(async (stage, { id }) => {
      if (stage === 'sorting' && id === 'run-10')
        refused.resolve(await work([others]).catch((error) => error));
    });
    await coordinate(temporaryFolder(), { stages });
    expect(`${await refused.promise}`).toMatch(
      /\[queue\] the pipeline in the queue has other options for its stage sorting\. Give the worker the configuration/,
    );
    expect(taken).toEqual([]);
  }, 60_000);

  it('whose database goes away says so, as does the coordinator, and the same calls go on', async () => {
    const folder = temporaryFolder();
    const worker = start('worker', 'never');
    const done = coordinate(folder, { stages: slowly }).catch((error: unknown) => error);
    await until(() => worker.taken.length > 10);
    await server.goDown();
    try {
      expect(`${await done}`).toMatch(
        /\[queue\] the database no longer answers \(.*Once it does, the same command goes on/,
      );
      await worker.closed;
      expect(worker.errors).toContain('[queue] the database no longer answers');
      expect(worker.errors).not.toContain(PASSWORD);
    } finally {
      await server.goUp();
    }
    await coordinate(folder);
    expect(folderBytes(folder)).toEqual(await byFiles());
  }, 60_000);

  it('ends when told to, while it waits for work', async () => {
    await work(sharedStages(), AbortSignal.timeout(500));
  });

  it('that cannot reach the server says so without the password', async () => {
    const away = new URL(connectionString);
    away.port = '1';
    const error = await runQueueWorker({
      connectionString: away.href,
      stages: [],
      signal: new AbortController().signal,
    }).catch((thrown: Error) => thrown);
    expect(`${error}`).toMatch(/\[queue\] cannot use postgres:\/\/127\.0\.0\.1:1\/queue\d+ \(.*ECONNREFUSED/);
    expect(JSON.stringify([error, (error as Error).stack])).not.toContain(PASSWORD);
  });
});
