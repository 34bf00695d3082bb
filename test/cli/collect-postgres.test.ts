import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonlRecorder } from '../../core/recorders/jsonl-recorder.js';
import { postgresRecorder } from '../../core/recorders/postgres-recorder.js';
import { folderBytes } from '../collectors/support/folder-bytes.js';
import { runCli, startCli } from '../support/cli.js';
import { PASSWORD, PostgresServer } from '../support/postgres-server.js';
import { closeRecord, runRecord, turnRecord } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());

const records = Array.from({ length: 12 }, (_, run) => [
  runRecord(`run-${run}`, { consent: run !== 3 }),
  turnRecord(`run-${run}`, 'a', { index: 0, path: [], content: `Add ${run} and 1.` }),
  closeRecord(`run-${run}`),
  // Without it no run would get past its outcome, and empty folders are alike.
  { v: 1, type: 'feedback', runId: `run-${run}`, at: 1, value: 1, by: 'thumbs' } as const,
]).flat();

/** All that is written into a folder, as one text. */
function written(folder: string): string {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .map((file) => path.join(folder, file))
    .filter((file) => fs.statSync(file).isFile())
    .map((file) => fs.readFileSync(file, 'utf8'))
    .join('\n');
}

describe('collect', () => {
  it('reads the log of a Postgres recorder as it reads that of a file', async () => {
    const connectionString = await server.createDatabase('runs');
    const file = path.join(temporaryFolder(), 'agentforesight_records.jsonl');
    for (const recorder of [await postgresRecorder({ connectionString }), jsonlRecorder(file)]) {
      await Promise.all(records.map((record) => recorder.append(record)));
      await recorder.close();
    }
    const [ofDatabase, ofFile] = [temporaryFolder(), temporaryFolder()];
    const answer = await runCli('collect', connectionString, '--out', ofDatabase);
    expect(answer).toMatchObject({ code: 0 });
    await runCli('collect', file, '--out', ofFile);
    const alike = (folder: string) =>
      fs
        .readFileSync(path.join(folder, '01-ingest.jsonl'), 'utf8')
        .replaceAll('runs/agentforesight_records', 'agentforesight_records.jsonl');
    expect(alike(ofDatabase)).toBe(alike(ofFile));
    expect(alike(ofFile).split('\n')).toHaveLength(13);
    expect(written(ofDatabase) + answer.stdout + answer.stderr).not.toContain(PASSWORD);

    const again = await runCli('collect', connectionString, '--out', ofDatabase);
    expect(again.stdout).toContain('ingest (as before)');
    const recorder = await postgresRecorder({ connectionString });
    for (const record of [runRecord('late', { consent: true }), closeRecord('late')])
      await recorder.append(record);
    await recorder.close();
    const more = await runCli('collect', connectionString, '--out', ofDatabase);
    expect(more.stdout).not.toContain('as before');
  }, 60_000);

  it('with --queue makes the same bytes, and leaves nothing of the connection in them', async () => {
    const log = path.join(temporaryFolder(), 'log.jsonl');
    const recorder = jsonlRecorder(log);
    await Promise.all(records.map((record) => recorder.append(record)));
    await recorder.close();
    const [byFiles, byQueue] = [temporaryFolder(), temporaryFolder()];
    const queue = await server.createDatabase('queue');
    await runCli('collect', log, '--out', byFiles);
    const { code, stdout, stderr } = await runCli('collect', log, '--out', byQueue, '--queue', queue);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^split +11 +11 /m);
    expect(folderBytes(byQueue)).toEqual(folderBytes(byFiles));
    expect(written(byQueue) + stdout).not.toContain(PASSWORD);
  }, 60_000);
});

describe('collect-worker', () => {
  const config = () => {
    const file = path.join(temporaryFolder(), 'collect.json');
    fs.writeFileSync(file, JSON.stringify({ stages: [{ stage: 'split' }] }));
    return file;
  };

  it('works until Ctrl-C', async () => {
    const worker = startCli(['collect-worker', '--queue', server.url(), '--config', config()]);
    const connected = `select 1 from pg_stat_activity where application_name = 'agentforesight'`;
    while ((await server.query(connected)).length === 0) await setTimeout(50);
    worker.kill('SIGINT');
    const [stderr, code] = await Promise.all([
      Array.fromAsync(worker.stderr, String),
      new Promise((resolve) => worker.once('close', resolve)),
    ]);
    expect([stderr.join(''), code]).toEqual(['agentforesight: 0 samples done\n', 130]);
  });

  it('that is not let in says so in one line, without the password', async () => {
    const wrong = server.url('postgres', `${PASSWORD}x`);
    const { code, stderr } = await runCli('collect-worker', '--queue', wrong, '--config', config());
    expect(stderr).toContain('cannot use postgres://127.0.0.1');
    expect(stderr).toContain('password authentication failed');
    expect(stderr).not.toContain(PASSWORD);
    expect(code).toBe(2);
  });
});
