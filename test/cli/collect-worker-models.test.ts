import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runCli, startCli } from '../support/cli.js';
import { replies } from '../support/model-server/behaviours.js';
import { modelServer, type SeenChat } from '../support/model-server.js';
import { PostgresServer } from '../support/postgres-server.js';
import { closeRecord, runRecord, turnRecord } from '../support/records.js';
import { logFile, temporaryFolder } from '../support/temporary-folder.js';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await PostgresServer.start();
}, 60_000);
afterAll(() => postgres.stop());

/** Each process has its own, so that the model server can tell who asks. */
const KEYS = { worker: 'key-of-the-worker', coordinator: 'key-of-the-coordinator' };

const runs = Array.from({ length: 6 }, (_, at) => [
  runRecord(`run-${at}`, { consent: true, task: `What is ${at} + 1?` }),
  turnRecord(`run-${at}`, 'a', { kind: 'user', agent: 'user', content: `What is ${at} + 1?` }),
  turnRecord(`run-${at}`, 'b', { index: 1, agent: 'adder', content: `It is ${at + 1}.` }),
  closeRecord(`run-${at}`),
  { v: 1, type: 'feedback', runId: `run-${at}`, at: 1, value: 1, by: 'thumbs' } as const,
]).flat();

const allAligned = ({ body }: SeenChat) => {
  const shown = JSON.parse(body.messages[1]?.content.trim().split('\n').at(-1) as string);
  return replies({ text: JSON.stringify({ aligned: shown.judge, misaligned: [] }) });
};

/** Every row of every table, those of the queue's library too. */
async function databaseText(url: string): Promise<string> {
  const tables = await postgres.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    url,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => postgres.query<{ row: string }>(`select t::text as row from ${name} t`, url)),
  );
  return rows.flatMap((table) => table.map(({ row }) => row)).join('\n');
}

function folderText(folder: string): string {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name), 'latin1'))
    .join('\n');
}

test('a worker asks the configured judge with its own key, which is in neither queue nor files', async () => {
  const url = await postgres.createDatabase('queue');
  const seen = new Set<string>();
  const both = Promise.withResolvers<string>();
  const server = await modelServer((request) => {
    seen.add(`${request.headers.authorization}`);
    if (seen.size === 2) databaseText(url).then(both.resolve, both.reject);
    // Nobody has an answer before both have asked: neither can have done all the work.
    return async (response) => {
      await both.promise;
      await allAligned(request)(response);
    };
  });
  const config = path.join(temporaryFolder(), 'collect.json');
  const judge = { baseURL: server.baseURL, model: 'judge', apiKeyEnv: 'COLLECT_TEST_KEY' };
  const stages = [
    { stage: 'outcome', scorers: [{ scorer: 'feedback' }] },
    { stage: 'filter', coherence: true, concurrency: 2 },
  ];
  fs.writeFileSync(config, JSON.stringify({ judge, stages }));
  const [out, ofWorker] = [path.join(temporaryFolder(), 'corpus'), temporaryFolder()];

  const usual = os.tmpdir();
  Object.assign(process.env, { COLLECT_TEST_KEY: KEYS.worker, TMPDIR: ofWorker });
  const worker = startCli(['collect-worker', '--queue', url, '--config', config]);
  onTestFinished(() => void worker.kill('SIGKILL'));
  const ended = new Promise((resolve) => worker.once('close', resolve));
  const told = Promise.all([worker.stdout, worker.stderr].map((stream) => Array.fromAsync(stream, String)));
  Object.assign(process.env, { COLLECT_TEST_KEY: KEYS.coordinator, TMPDIR: usual });
  const collected = await runCli(
    ...['collect', logFile(...runs), '--out', out, '--config', config, '--queue', url],
  );
  expect([collected.code, collected.stderr]).toEqual([0, '']);
  expect(seen).toEqual(new Set(Object.values(KEYS).map((key) => `Bearer ${key}`)));

  const [inQueue, inFolder, inWorkers] = [await both.promise, folderText(out), folderText(ofWorker)];
  expect(inQueue).toContain('What is 5 + 1?');
  expect(inFolder.match(/"kind":"safe"/g)).toHaveLength(6);
  expect(fs.readdirSync(ofWorker).some((name) => name.startsWith('agentforesight-worker-'))).toBe(true);
  expect(inWorkers).toContain('aligned');
  worker.kill('SIGINT');
  expect(await ended).toBe(130);
  const spoken = (await told).flat().join('');
  expect(spoken).toMatch(/^agentforesight: \d+ samples? done\n$/);
  expect(fs.readdirSync(ofWorker).filter((name) => name.startsWith('agentforesight-worker-'))).toEqual([]);
  const left = await databaseText(url);
  for (const text of [inQueue, left, inFolder, inWorkers, spoken, collected.stdout])
    for (const key of Object.values(KEYS)) expect(text).not.toContain(key);
}, 90_000);
