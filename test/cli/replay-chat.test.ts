import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { alarmReply, fails, replies, usage } from '../support/model-server/behaviours.js';
import { modelServer } from '../support/model-server.js';
import { observedLog } from '../support/observed-log.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const turns = ['The sum is 12.', 'The sum is 13, since 12 and 1 are 13.', 'So it is thirteen.'].map(
  (content) => ({
    agent: 'solver',
    kind: 'agent' as const,
    content,
  }),
);

function configFile(folder: string, baseURL: string): string {
  const file = path.join(folder, 'auditor.json');
  const prices = { input: 1000, cachedInput: 100, output: 2000 };
  const chat = {
    kind: 'chat',
    baseURL,
    model: 'tiny',
    apiKeyEnv: 'REPLAY_TEST_KEY',
    prices,
    extraBody: { seed: 7 },
  };
  fs.writeFileSync(file, JSON.stringify({ kind: 'cascade', stages: [{ kind: 'signals' }, chat] }));
  return file;
}

test('a model that a configuration names judges recorded runs: asked with the key from the environment, metered, and kept', async () => {
  const folder = temporaryFolder();
  const server = await modelServer(({ body }) =>
    replies({
      usage: usage(100, 60, 10),
      ...(body.messages[1]?.content.includes('13, since') && { text: alarmReply(2, 'solver') }),
    }),
  );
  process.env['REPLAY_TEST_KEY'] = 'key-of-the-test';
  const log = await observedLog(folder, { one: { turns }, two: { turns: turns.slice(0, 1) } });
  const audits = path.join(folder, 'audits.jsonl');
  const command = ['replay', '--json', '--auditor', configFile(folder, server.baseURL), '--log', audits, log];
  const { stdout } = await runCli(...command);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ run }) => run?.change)).toEqual(['new-alarm', 'same', undefined]);
  expect(lines[0].run.now).toMatchObject({ step: 2, agent: 'solver' });
  expect(lines[2].summary).toMatchObject({
    auditor: 'cascade(signals, chat tiny)',
    // Of 100 tokens, 40 at 1,000 a million and 60 at 100; 10 at 2,000 for the reply.
    costNow: { calls: 3, inputTokens: 300, cachedInputTokens: 180, outputTokens: 30, cost: 3 * 0.066 },
  });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
    Array(3).fill('Bearer key-of-the-test'),
  );
  expect(server.requests[0]?.body).toMatchObject({ model: 'tiny', seed: 7 });

  const report = JSON.parse((await runCli('report', '--json', audits)).stdout);
  expect(report.opinions).toMatchObject([
    { auditor: 'signals', asked: 3, alarms: 0 },
    { auditor: 'chat tiny', asked: 3, alarms: 1, agreed: 3 },
  ]);
  expect(fs.readFileSync(audits, 'utf8')).not.toContain('key-of-the-test');

  await runCli(...command);
  expect(server.requests).toHaveLength(3);
});

test('a key that is refused stops the replay with one line, and nothing counts as done', async () => {
  const folder = temporaryFolder();
  let isLocked = true;
  const server = await modelServer(() => (isLocked ? fails(401, 'bad key') : replies()));
  process.env['REPLAY_TEST_KEY'] = 'key-of-the-test';
  const log = await observedLog(
    folder,
    Object.fromEntries([1, 2, 3].map((run) => [`run ${run}`, { turns }])),
  );
  const audits = path.join(folder, 'audits.jsonl');
  const command = ['replay', '--json', '--auditor', configFile(folder, server.baseURL), '--log', audits, log];
  const { code, stderr } = await runCli(...command);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/Check the key/);
  expect(code).toBe(2);
  expect(server.requests).toHaveLength(1);
  isLocked = false;
  const again = (await runCli(...command)).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(again.at(-1).summary).toMatchObject({ runs: 3, resumed: 0, changes: { same: 3 } });
});

test('a variable that is not set is told before anything is asked', async () => {
  const folder = temporaryFolder();
  delete process.env['REPLAY_TEST_KEY'];
  const log = await observedLog(folder, { one: { turns } });
  const { code, stderr } = await runCli(
    'replay',
    '--auditor',
    configFile(folder, 'http://127.0.0.1:9/v1'),
    log,
  );
  expect(stderr).toMatch(/REPLAY_TEST_KEY is not set/);
  expect(code).toBe(2);
});

test('a server that never answers is no success, and a price that nobody gave is not shown as nothing', async () => {
  const folder = temporaryFolder();
  let isAway = true;
  const server = await modelServer(() =>
    isAway ? fails(503, 'away') : replies({ usage: usage(100, 0, 10) }),
  );
  const config = path.join(folder, 'auditor.json');
  fs.writeFileSync(
    config,
    JSON.stringify({ kind: 'chat', baseURL: server.baseURL, model: 'tiny', retries: 0 }),
  );
  const log = await observedLog(folder, { one: { turns: turns.slice(0, 1) } });
  const away = await runCli('replay', '--auditor', config, log);
  expect(away.stderr).toMatch(/every audit failed/);
  expect(away.code).toBe(3);

  isAway = false;
  const { code, stdout } = await runCli('replay', '--auditor', config, log);
  expect(stdout).toMatch(/^replayed .* \?$/m);
  expect(code).toBe(0);
});
