import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type PostgresRecorderOptions, postgresRecorder } from '../../../core/recorders/postgres-recorder.js';
import { postgresRunLog } from '../../../core/run-log/postgres-log.js';
import { readFeedback } from '../../../core/run-log/read-feedback.js';
import { readRecords } from '../../../core/run-log/read-records.js';
import { readRuns } from '../../../core/run-log/read-runs.js';
import { PASSWORD, PostgresServer } from '../../support/postgres-server.js';
import { closeRecord, runRecord, turnRecord } from '../../support/records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let server: PostgresServer;
let connectionString = '';
let databases = 0;

beforeAll(async () => {
  server = await PostgresServer.start();
}, 60_000);
afterAll(() => server.stop());
beforeEach(async () => {
  connectionString = await server.createDatabase(`log${databases++}`);
});

async function open(options: Partial<PostgresRecorderOptions> = {}) {
  const recorder = await postgresRecorder({ connectionString, ...options });
  onTestFinished(() => recorder.close());
  return recorder;
}

const log = () => postgresRunLog({ connectionString });
const records = () => Array.fromAsync(readRecords(log()), ({ record }) => record);
const stored = () =>
  server.query<{ record: string }>('select * from agentforesight_records', connectionString);

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'nothing was thrown',
    (error: Error) => {
      expect(JSON.stringify([error, error.stack, String(error.cause)])).not.toContain(PASSWORD);
      return error.message;
    },
  );
}

describe('what is appended', () => {
  it('can be read back, once it is acknowledged, whatever it holds', async () => {
    const recorder = await open();
    const content = 'line\nend \u2028 \u0000 "quote" \ud800 naïve 日本';
    const odd = turnRecord('run\u0000', 'x', { content, thought: '' });
    for (const [at, record] of [runRecord('run\u0000'), odd, closeRecord('run\u0000')].entries()) {
      await recorder.append(record);
      expect(await stored()).toHaveLength(at + 1);
    }
    expect(await records()).toEqual([runRecord('run\u0000'), odd, closeRecord('run\u0000')]);
  });

  it('stands in the order of the calls, over many batches and pages', async () => {
    const recorder = await open();
    const turns = Array.from({ length: 1_200 }, (_, at) => turnRecord('run', `${at}`));
    const waiting = [];
    for (const [at, turn] of turns.entries()) {
      waiting.push(recorder.append(turn));
      if (at % 100 === 99) await setTimeout(1);
    }
    await Promise.all(waiting);
    expect(await records()).toEqual(turns);
  });

  it('is read as runs and feedback, of several processes at once', async () => {
    const [one, other] = [await open(), await open()];
    await Promise.all([one.append(runRecord('a')), other.append(runRecord('b'))]);
    const turn = { index: 0, path: [] };
    await one.append(turnRecord('a', 't', turn));
    await one.append(closeRecord('a'));
    await other.append({ v: 1, type: 'feedback', runId: 'a', at: 5, value: 0, by: 'thumbs' });
    const runs = await Array.fromAsync(readRuns(log()));
    expect(runs.map(({ run, turns, outcome }) => [run.runId, turns.length, outcome?.status])).toEqual([
      ['a', 1, 'completed'],
      ['b', 0, undefined],
    ]);
    expect((await readFeedback(log())).get('a')).toMatchObject({ value: 0, by: 'thumbs' });
  });

  it('is too long for a reader who says so, and read on past', async () => {
    const recorder = await open();
    await recorder.append(turnRecord('run', 'long', { content: 'x'.repeat(200_000) }));
    await recorder.append(closeRecord('run'));
    const bad: string[] = [];
    const options = { maxTurnBytes: 1_000, onBadLine: ({ message }: Error) => bad.push(message) };
    const read = await Array.fromAsync(readRecords(log(), options));
    expect(read).toEqual([{ line: 2, record: closeRecord('run') }]);
    expect(bad).toEqual([
      expect.stringMatching(/agentforesight_records:1: far longer than the longest turn/),
    ]);
  });
});

describe('a table', () => {
  it('is made once by whoever come at once', async () => {
    const recorders = await Promise.all(Array.from({ length: 8 }, () => open()));
    await Promise.all(recorders.map((recorder, at) => recorder.append(runRecord(`run-${at}`))));
    expect(await stored()).toHaveLength(8);
  });

  it("that is another's, or of another version, is left alone", async () => {
    await server.query('create table agentforesight_records (mine int)', connectionString);
    expect(await messageOf(open())).toMatch(
      /agentforesight_records exists and is no run log\. Give another table/,
    );
    const comment = "comment on table agentforesight_records is 'agentforesight run log, table version 9'";
    await server.query(comment, connectionString);
    expect(await messageOf(open())).toContain('this program knows 1. Update agentforesight');
  });

  it('is written by a user who may do no more than that', async () => {
    await open();
    await server.query(
      `create role writer login password 'writes'; grant insert, select on agentforesight_records to writer`,
      connectionString,
    );
    const own = new URL(connectionString);
    [own.username, own.password] = ['writer', 'writes'];
    const recorder = await open({ connectionString: own.href });
    await recorder.append(runRecord('run'));
    expect(await records()).toEqual([runRecord('run')]);
  });
});

describe('a server', () => {
  it('that refuses is one line, without the password', async () => {
    const [away, wrong] = [new URL(connectionString), new URL(connectionString)];
    away.port = '1';
    wrong.username = 'nobody';
    const refused = await messageOf(open({ connectionString: away.href }));
    expect(refused).toMatch(
      /^\[agentforesight\] \[postgres\] cannot write to postgres:\/\/127\.0\.0\.1:1\/log\d+ \(.*ECONNREFUSED/,
    );
    expect(await messageOf(open({ connectionString: wrong.href }))).toContain('authentication failed');
    expect(await messageOf(open({ connectionString: `mysql://x:${PASSWORD}@y/z` }))).toContain(
      'no postgres:// URL',
    );
    expect(await messageOf(Array.fromAsync(readRecords(log())))).toMatch(
      /log\d+\/agentforesight_records: there is no such table/,
    );
  });

  it('that goes and comes back costs no record, and none stands twice', async () => {
    const recorder = await open();
    await recorder.append(runRecord('run'));
    const waiting = [];
    for (let at = 0; at < 400; at++) {
      waiting.push(recorder.append(turnRecord('run', `${at}`)));
      if (at === 100) await server.goDown();
      if (at === 300) await server.goUp();
      await setTimeout(1);
    }
    await Promise.all(waiting);
    const ids = (await records()).map((record) => (record.type === 'turn' ? record.turn.id : record.type));
    expect(ids).toEqual(['run', ...Array.from({ length: 400 }, (_, at) => `${at}`)]);
  });

  it('that stays away costs records after a bounded time, and no more than a try after that', async () => {
    const recorder = await open({ retryForMs: 500 });
    await server.goDown();
    try {
      const start = performance.now();
      expect(await messageOf(recorder.append(runRecord('lost')))).toMatch(
        /ECONNREFUSED|terminat|shutting down/,
      );
      expect(performance.now() - start).toBeLessThan(3_000);
      const again = performance.now();
      await messageOf(recorder.append(runRecord('lost too')));
      expect(performance.now() - again).toBeLessThan(300);
    } finally {
      await server.goUp();
    }
    await recorder.append(runRecord('kept'));
    expect(await records()).toEqual([runRecord('kept')]);
  });

  it('whose answer to a commit is lost is asked again, and keeps the batch once', async () => {
    const proxy = await answersLost(server.port);
    const url = new URL(connectionString);
    url.port = `${proxy.port}`;
    const recorder = await open({ connectionString: url.href });
    proxy.loseNextAnswer();
    await Promise.all([recorder.append(runRecord('run')), recorder.append(turnRecord('run', 'a'))]);
    expect(proxy.lost).toBe(1);
    expect(await records()).toEqual([runRecord('run'), turnRecord('run', 'a')]);
  });

  it('keeps no process from its end, closed or not', async () => {
    const script = `
      import { postgresRecorder } from './core/recorders/postgres-recorder.js';
      const recorder = await postgresRecorder({ connectionString: ${JSON.stringify(connectionString)} });
      await recorder.append(${JSON.stringify(runRecord('run'))});`;
    const root = path.join(import.meta.dirname, '../../..');
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: root,
    });
    expect((await once(child, 'close'))[0]).toBe(0);
    expect(await records()).toEqual([runRecord('run')]);
  });
});

describe('kill -9 amid 1,000 concurrent runs', () => {
  it.each([
    ['any', 3_000],
    ['acknowledging', 2_001],
    ['writing', 2_300],
  ])(
    'loses no acknowledged turn, moment: %s',
    async (moment, lifetime) => {
      const script = path.join(import.meta.dirname, '../../support/crash-writer.ts');
      const ownHand = moment === 'any' ? [] : [`${lifetime}`, moment];
      const args = ['--import', 'tsx', script, connectionString, 'run', ...ownHand];
      // A file, since a pipe that is full could make the writer wait or fail.
      const output = path.join(temporaryFolder(), 'acknowledged');
      const descriptor = fs.openSync(output, 'w');
      const said = () => fs.readFileSync(output, 'utf8').split('\n').slice(0, -1);
      const child = spawn(process.execPath, args, { stdio: ['ignore', descriptor, 'inherit'] });
      fs.closeSync(descriptor);
      const closed = once(child, 'close');
      if (moment === 'any') {
        while (child.exitCode === null && said().length < lifetime) await setTimeout(10);
        child.kill('SIGKILL');
      }
      expect((await closed)[1]).toBe('SIGKILL');
      const acknowledged = said();
      expect(acknowledged.length).toBeGreaterThanOrEqual(lifetime);
      const kept = (await records()).flatMap((record) =>
        record.type === 'turn' ? [`${record.runId} ${record.turn.id}`] : [],
      );
      expect(new Set(kept).size).toBe(kept.length);
      expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([]);
      for await (const { turns } of readRuns(log()))
        expect(turns.every(({ index }, at) => index === at)).toBe(true);
    },
    120_000,
  );
});

/** Stands before the server, and breaks the connection in place of handing an answer on when told to. */
async function answersLost(port: number) {
  let loses = false;
  const loseNextAnswer = () => {
    loses = true;
  };
  const state = { port: 0, lost: 0, loseNextAnswer };
  const proxy = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    client.pipe(upstream);
    upstream.on('data', (answer) => {
      if (!loses || !answer.includes('INSERT')) client.write(answer);
      else {
        loses = false;
        state.lost++;
        client.destroy();
      }
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    client.on('close', () => upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  state.port = (proxy.address() as net.AddressInfo).port;
  return state;
}
