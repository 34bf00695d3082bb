import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  type Auditor,
  createRuntime,
  everyTurn,
  jsonlRecorder,
  readRuns,
  type TurnInput,
  type Verdict,
} from '../../core/index.js';
import { runCli, startCli } from '../support/cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What the recorded auditor says of a turn, by its content: its agent for an alarm, a score, or a fault. */
type Says = Readonly<Record<string, Verdict | Error>>;

function recordedAuditor(says: Says): Auditor {
  return {
    name: 'old',
    schedule: everyTurn(),
    audit({ prefix }, { note }) {
      note?.({
        type: 'call',
        purpose: 'verdict',
        model: 'm',
        attempts: 1,
        inputTokens: 100,
        outputTokens: 5,
        cost: 0.25,
        durationMs: 1,
      });
      const said = says[prefix.newest.content] ?? { kind: 'continue', score: 0.25 };
      if (said instanceof Error) throw said;
      return said;
    },
  };
}

async function record(file: string, runs: Readonly<Record<string, readonly TurnInput[]>>, says: Says = {}) {
  const recorder = jsonlRecorder(file);
  const diagnostics = { report() {} };
  const runtime = createRuntime({
    recorder,
    auditor: recordedAuditor(says),
    onAlarm: 'observe',
    diagnostics,
  });
  for (const [runId, turns] of Object.entries(runs)) {
    const session = runtime.openSession({ runId, task: 'How many cups are left?' });
    for (const turn of turns) await session.submit(turn);
    await session.close({ status: 'completed' });
  }
  await recorder.close();
}

const result: TurnInput = { agent: 'solver', kind: 'tool', content: '351' };
const misread: TurnInput = { agent: 'solver', kind: 'agent', content: 'So 341 cups are left.' };
const agreed: TurnInput = { agent: 'verifier', kind: 'agent', content: 'Agreed.' };
const alarm = (step: number, agent: string): Verdict => ({
  kind: 'alarm',
  step,
  agent,
  reason: 'old reason',
  score: 0.75,
});

function signalsConfig(folder: string, more: object = {}): string {
  const file = path.join(folder, 'new.json');
  fs.writeFileSync(file, JSON.stringify({ kind: 'signals', ...more }));
  return file;
}

const jsonLines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('each run: same, new alarm, lost alarm, other step, other agent', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'runs.jsonl');
  const says = {
    'Fine.': alarm(1, 'verifier'),
    'Agreed so.': alarm(3, 'verifier'),
    'So 342 cups are left.': alarm(2, 'user'),
    'So 343 cups are left.': alarm(2, 'solver'),
  };
  const blamed = (content: string) => ({ ...misread, content });
  await record(
    log,
    {
      unharmed: [result, { ...misread, content: 'So 351 cups are left.' }],
      'same alarm': [result, blamed('So 343 cups are left.')],
      missed: [result, misread, agreed],
      'false alarm': [{ ...agreed, content: 'Fine.' }],
      late: [result, misread, { ...agreed, content: 'Agreed so.' }],
      'wrong one': [result, blamed('So 342 cups are left.')],
    },
    says,
  );
  const { code, stdout } = await runCli('replay', '--json', '--auditor', signalsConfig(folder), log);
  const lines = jsonLines(stdout);
  expect(Object.fromEntries(lines.slice(0, -1).map(({ run }) => [run.runId, run.change]))).toEqual({
    unharmed: 'same',
    'same alarm': 'same',
    missed: 'new-alarm',
    'false alarm': 'lost-alarm',
    late: 'other-step',
    'wrong one': 'other-agent',
  });
  const { summary } = lines.at(-1);
  expect(summary).toMatchObject({
    auditor: 'signals',
    runs: 6,
    changes: { same: 2, 'new-alarm': 1, 'lost-alarm': 1, 'other-step': 1, 'other-agent': 1, failed: 0 },
    alarmsBefore: 4,
    alarmsNow: 4,
  });
  expect(code).toBe(0);

  const text = (await runCli('replay', '--auditor', signalsConfig(folder), log)).stdout;
  expect(text).toMatch(/^missed\s+new alarm\s+now step 2 \(solver\): \[misquotes-result\]/m);
  expect(text).toMatch(/^false alarm\s+lost alarm\s+was step 1 \(verifier\): old reason/m);
  expect(text).not.toMatch(/^unharmed/m);
  expect(text).toMatch(/same 2, new alarm 1, lost alarm 1, other step 1, other agent 1, failed audit 0/);
});

test('each turn that both were asked about: who said what, and what it took', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'runs.jsonl');
  await record(
    log,
    { one: [result, misread, agreed] },
    { '351': new Error('no credit'), 'Agreed.': alarm(2, 'solver') },
  );
  const { stdout } = await runCli('replay', '--json', '--auditor', signalsConfig(folder), log);
  const [{ run }, { summary }] = jsonLines(stdout);
  expect(run.turns).toEqual([
    { step: 1, before: 'failure', now: 'continue' },
    { step: 2, before: 'continue', now: 'alarm' },
  ]);
  expect(run).toMatchObject({ change: 'same', onlyBefore: 1, onlyNow: 0 });
  expect(summary.agreement).toEqual({
    continue: { continue: 0, alarm: 1, failure: 0 },
    alarm: { continue: 0, alarm: 0, failure: 0 },
    failure: { continue: 1, alarm: 0, failure: 0 },
  });
  expect(summary.costBefore).toMatchObject({
    audits: 3,
    calls: 3,
    inputTokens: 300,
    outputTokens: 15,
    cost: 0.75,
  });
  expect(summary.costNow).toMatchObject({ audits: 2, calls: 0, cost: 0 });
});

test('steps are compared in final order, though a branch counts in its own past', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'runs.jsonl');
  const lane = (name: string) => [{ step: 1, lane: name }];
  await record(
    log,
    {
      branches: [
        { ...result, agent: 'b', path: lane('b') },
        { ...misread, agent: 'b', path: lane('b') },
        { agent: 'a', kind: 'agent', content: 'Nothing here.', path: lane('a') },
      ],
    },
    // In the branch's own past, the misreading is step 2; in the end, it is step 3.
    { [misread.content]: alarm(2, 'b') },
  );
  const [logged] = await Array.fromAsync(readRuns(log));
  expect(logged?.verdicts.find(({ verdict }) => verdict.kind === 'alarm')?.verdict).toMatchObject({
    step: 2,
  });
  const { stdout } = await runCli('replay', '--json', '--auditor', signalsConfig(folder), log);
  expect(jsonLines(stdout)[0].run).toMatchObject({ change: 'same', before: { step: 3 }, now: { step: 3 } });
});

test('runs that nobody has audited are audited, and compared with nothing', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, '1.json');
  const history = [
    { role: 'human', content: 'How many?' },
    { role: 'ComputerTerminal', content: '351' },
    { role: 'Solver', content: 'So 341 cups are left.' },
  ];
  fs.writeFileSync(
    file,
    JSON.stringify({ question: 'How many?', history, mistake_step: '2', mistake_agent: 'Solver' }),
  );
  const { stdout } = await runCli('replay', '--json', '--auditor', signalsConfig(folder), file);
  const [{ run }, { summary }] = jsonLines(stdout);
  expect(run).toMatchObject({ change: null, before: null, now: { step: 2, agent: 'Solver' } });
  expect(summary).toMatchObject({ runs: 1, unaudited: 1, alarmsNow: 1, changes: { 'new-alarm': 0 } });
});

test('Ctrl-C leaves a log that the same command takes up; in the end it says what an undisturbed one says', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'runs.jsonl');
  const audits = path.join(folder, 'audits.jsonl');
  const turns = Array.from({ length: 40 }, (_, at) => ({ ...agreed, content: `Step ${at} is done.` }));
  await record(
    log,
    Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`run ${at}`, at % 7 === 0 ? [result, misread] : turns]),
    ),
  );
  const config = signalsConfig(folder);
  const command = ['replay', '--json', '--concurrency', '4', '--auditor', config, '--log', audits, log];
  const child = startCli(command);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    if (printed === '') child.kill('SIGINT');
    printed += String(chunk);
  });
  const stderr = Array.fromAsync(child.stderr, String);
  const code = await new Promise((resolve) => child.once('close', resolve));
  const stopped = jsonLines(printed).at(-1).summary;
  expect(code).toBe(130);
  expect((await stderr).join('')).toMatch(/the same command goes on where/);
  expect(stopped.runs).toBeLessThan(60);

  const resumed = jsonLines((await runCli(...command)).stdout);
  const fresh = jsonLines((await runCli('replay', '--json', '--auditor', config, log)).stdout);
  expect(resumed.at(-1).summary.resumed).toBeGreaterThanOrEqual(stopped.runs);
  expect(resumed.at(-1).summary.resumed).toBeLessThan(60);
  const withoutResumed = (lines: { run?: { resumed: boolean } }[]) =>
    lines.flatMap(({ run }) => (run ? [{ ...run, resumed: null }] : []));
  expect(withoutResumed(resumed)).toEqual(withoutResumed(fresh));
  expect(resumed.at(-1).summary.changes).toEqual(fresh.at(-1).summary.changes);
});

test('new audits are never written into a log that is replayed', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'runs.jsonl');
  await record(log, { one: [result] });
  const before = fs.readFileSync(log, 'utf8');
  const { code, stderr } = await runCli('replay', '--auditor', signalsConfig(folder), '--log', log, folder);
  expect(stderr).toMatch(/is read here, and --log would write into it/);
  expect(code).toBe(2);
  expect(fs.readFileSync(log, 'utf8')).toBe(before);
});

test('an auditor is needed, and must be one', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'runs.jsonl');
  await record(log, { one: [result] });
  expect(await runCli('replay', log)).toMatchObject({ code: 2, stderr: expect.stringMatching(/--auditor/) });
  const { code, stderr } = await runCli('replay', '--auditor', signalsConfig(folder, { alarmOm: [] }), log);
  expect(stderr).toMatch(/new\.json \(alarmOm\): there is no such field/);
  expect(code).toBe(2);
});

test('audit takes an auditor too', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'runs.jsonl');
  await record(log, { one: [{ ...agreed, content: 'As we know, 17 + 25 = 43.' }] });
  expect((await runCli('audit', log)).stdout).toMatch(/0 alarms/);
  const config = signalsConfig(folder, { alarmOn: ['unseen-number'] });
  expect((await runCli('audit', '--auditor', config, log)).stdout).toMatch(/1 alarm,/);
});
