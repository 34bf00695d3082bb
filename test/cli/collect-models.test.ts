import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { StageResult } from '../../collectors/stage.js';
import type { FeedbackRecord } from '../../core/index.js';
import { runCli } from '../support/cli.js';
import { alarmReply, fails, replies, SAFE } from '../support/model-server/behaviours.js';
import { modelServer, type SeenChat } from '../support/model-server.js';
import { closeRecord, runRecord, turnRecord } from '../support/records.js';
import { logFile, temporaryFolder } from '../support/temporary-folder.js';

const TASK = 'What is 17 + 23?';
const run = (runId: string, sum: number, value: 0 | 1) => [
  runRecord(runId, { consent: true, task: TASK }),
  turnRecord(runId, '0', { kind: 'user', agent: 'user', content: TASK }),
  turnRecord(runId, '1', {
    index: 1,
    agent: 'planner',
    content: `I add them: 17 + 23 makes ${sum}, so ${sum} it is.`,
  }),
  turnRecord(runId, '2', { index: 2, agent: 'writer', content: `The sum of the two numbers is ${sum}.` }),
  closeRecord(runId),
  { v: 1, type: 'feedback', runId, at: 1, value, by: 'thumbs' } as FeedbackRecord,
];

/** What the judge answers, by what it is told that it is. */
function judged({ body }: SeenChat): unknown {
  const [system = '', prompt = ''] = body.messages.map(({ content }) => content);
  if (system.startsWith('You check the turns'))
    return { aligned: JSON.parse(prompt.trim().split('\n').at(-1) as string).judge, misaligned: [] };
  if (system.includes('Find its decisive error'))
    return { step: 1, agent: 'planner', reason: '17 + 23 is 40' };
  if (system.startsWith('You check a claim'))
    return { exists: true, substantive: true, decisive: true, earliest: true, confidence: 90 };
  if (system.startsWith('You rewrite one turn'))
    return { turn: { content: 'I add them: 17 + 23 makes 41, so 41 it is.' }, reason: 'it makes 40' };
  if (system.startsWith('You continue a recorded run'))
    return { content: 'The sum of the two numbers is 41.' };
  return { success: !prompt.includes('is 41.'), reason: 'by the last words' };
}

/** The policy alarms every other time. */
const reply = (request: SeenChat) =>
  request.body.model === 'base'
    ? replies({ text: Number(request.body['seed']) % 2 === 0 ? SAFE : alarmReply(1, 'planner') })
    : replies({ text: JSON.stringify(judged(request)) });

function configFile(baseURL: string, pairs: object = {}): string {
  const file = path.join(temporaryFolder(), 'collect.json');
  const config = {
    judge: { baseURL, model: 'judge', apiKeyEnv: 'COLLECT_TEST_KEY', retries: 0 },
    stages: [
      { stage: 'outcome', scorers: [{ scorer: 'feedback' }] },
      { stage: 'filter', coherence: true },
      { stage: 'annotate', proposers: 2, verifiers: 3 },
      { stage: 'inject', scorers: [{ scorer: 'rubric' }], categories: ['wrong-arithmetic'] },
      { stage: 'scrub' },
      { stage: 'pairs', policy: { baseURL, model: 'base' }, replies: 4, ...pairs },
    ],
    exports: [{ export: 'preferences' }],
  };
  fs.writeFileSync(file, JSON.stringify(config));
  return file;
}

const lines = (file: string) => fs.readFileSync(file, 'utf8').trim().split('\n');
const samplesIn = (folder: string, step: string) =>
  lines(path.join(folder, step)).flatMap((line) => (JSON.parse(line) as StageResult).samples);

test('a configured judge and policy make labelled runs and preference pairs, and are asked once', async () => {
  const server = await modelServer(reply);
  process.env['COLLECT_TEST_KEY'] = 'key-of-the-test';
  const [config, out] = [configFile(server.baseURL), path.join(temporaryFolder(), 'corpus')];
  const command = [
    'collect',
    logFile(...run('good', 40, 1), ...run('bad', 46, 0)),
    '--out',
    out,
    '--config',
    config,
  ];
  const { code, stdout, stderr } = await runCli(...command);
  expect([code, stderr]).toEqual([0, '']);
  expect(
    samplesIn(out, '05-inject.jsonl').map(({ label, outcome }) => [label, outcome?.value]),
  ).toMatchObject([
    [{ kind: 'safe' }, 1],
    [{ kind: 'unsafe', step: 1, agent: 'planner', source: 'injected' }, 0],
    [{ kind: 'unsafe', step: 1, agent: 'planner', source: 'natural' }, 0],
  ]);
  expect(stdout).toMatch(/^pairs +3 /m);
  // Two runs with a boundary, a prompt on either side of it, and as many right replies as wrong ones.
  expect(lines(path.join(out, 'export', 'preferences.jsonl'))).toHaveLength(8);
  expect(
    new Set(server.requests.map(({ headers, body }) => [body.model, headers.authorization].join())),
  ).toEqual(new Set(['judge,Bearer key-of-the-test', 'base,']));
  const files = fs
    .readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
  for (const { parentPath, name } of files)
    expect(fs.readFileSync(path.join(parentPath, name), 'latin1')).not.toContain('key-of-the-test');
  const asked = server.requests.length;
  expect((await runCli(...command)).code).toBe(0);
  expect(server.requests).toHaveLength(asked);
});

test('a budget for the policy leaves what it cannot pay waiting, and another call goes on', async () => {
  const server = await modelServer(reply);
  process.env['COLLECT_TEST_KEY'] = 'key-of-the-test';
  const config = configFile(server.baseURL, { budget: { calls: 9 }, concurrency: 1 });
  const out = path.join(temporaryFolder(), 'corpus');
  const log = logFile(...run('good', 40, 1), ...run('bad', 46, 0));
  const command = ['collect', log, '--out', out, '--config', config];
  const policyCalls = () => server.requests.filter(({ body }) => body.model === 'base').length;
  const first = await runCli(...command);
  expect(policyCalls()).toBe(9);
  expect(first.stdout).toContain('1 run undecided; --retry-undecided asks again.');
  const second = await runCli(...command, '--retry-undecided');
  expect(second.stdout).not.toContain('undecided;');
  // Both unsafe runs begin alike: four of the replies serve both.
  expect(policyCalls()).toBe(12);
  expect(lines(path.join(out, 'export', 'preferences.jsonl'))).toHaveLength(8);
});

test('while the model server is down runs wait and are counted; --retry-undecided goes on with them', async () => {
  let isDown = true;
  const server = await modelServer((request) => (isDown ? fails(500) : reply(request)));
  process.env['COLLECT_TEST_KEY'] = 'key-of-the-test';
  const [config, out] = [configFile(server.baseURL), path.join(temporaryFolder(), 'corpus')];
  const command = [
    'collect',
    logFile(...run('good', 40, 1), ...run('bad', 46, 0)),
    '--out',
    out,
    '--config',
    config,
  ];
  const down = await runCli(...command);
  expect(down.stdout).toContain('2 runs undecided; --retry-undecided asks again.');
  isDown = false;
  const { code, stdout } = await runCli(...command, '--retry-undecided');
  expect(code).toBe(0);
  expect(stdout).not.toContain('undecided;');
  expect(samplesIn(out, '05-inject.jsonl')).toHaveLength(3);
});

test.each<[string, object, string]>([
  [
    'a stage that needs a judge without one',
    { stages: [{ stage: 'annotate' }] },
    '[annotate] it needs a model to ask',
  ],
  [
    'a key in place of its name',
    { judge: { baseURL: 'http://127.0.0.1:9/v1', model: 'm', apiKeyEnv: 'sk-123' }, stages: [] },
    '(judge.apiKeyEnv): expected the name of an environment variable',
  ],
  [
    'a variable that is not set',
    { judge: { baseURL: 'http://127.0.0.1:9/v1', model: 'm', apiKeyEnv: 'NOBODY_SETS_THIS' }, stages: [] },
    'NOBODY_SETS_THIS is not set',
  ],
])('%s is one line, and exit code 2', async (_, config, message) => {
  const file = path.join(temporaryFolder(), 'collect.json');
  fs.writeFileSync(file, JSON.stringify(config));
  const out = path.join(temporaryFolder(), 'corpus');
  const { code, stderr } = await runCli(
    'collect',
    logFile(...run('a', 40, 1)),
    '--out',
    out,
    '--config',
    file,
  );
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(message);
});

test('labels that a probe can guess stop the pipeline: one line, exit code 4, and the report is kept', async () => {
  // Faulty runs are longer by one turn: that alone tells.
  const told = Array.from({ length: 60 }, (_, at) => {
    const isSafe = at % 2 === 0;
    const words = (step: number) => `Step ${step} of ${at}.`;
    const history = ['task', ...(isSafe ? ['a', 'b'] : ['a', 'b', 'c', 'd'])].map((role, step) => ({
      role: step === 0 ? 'human' : role,
      content: words(step),
    }));
    const label = isSafe
      ? { is_correct: true }
      : { is_correct: false, mistake_step: '3', mistake_agent: 'c' };
    return { question: `Task ${at}`, question_ID: `q${at}`, ground_truth: '', history, ...label };
  });
  const folder = temporaryFolder();
  for (const [at, one] of told.entries())
    fs.writeFileSync(path.join(folder, `${at}.json`), JSON.stringify(one));
  const file = path.join(temporaryFolder(), 'collect.json');
  fs.writeFileSync(file, JSON.stringify({ stages: [{ stage: 'probe', limit: 40 }] }));
  const out = path.join(temporaryFolder(), 'corpus');
  const { code, stderr } = await runCli('collect', folder, '--out', out, '--config', file);
  expect(stderr).toMatch(
    /guesses the labels with a strict Exact-F1 of \d+.*, the limit is 40; what tells most: /,
  );
  expect(code).toBe(4);
  const { done, found } = JSON.parse(fs.readFileSync(path.join(out, '02-probe.json'), 'utf8'));
  expect([done, found.probes['no-text'].overall.unsafe]).toEqual([false, 30]);
});
