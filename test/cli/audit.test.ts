import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AuditRequest,
  createRuntime,
  everyTurn,
  jsonlRecorder,
  type Turn,
  type Verdict,
} from '../../core/index.js';
import { runCli, startCli } from '../support/cli.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentforesight-audit-'));
const log = path.join(folder, 'runs.jsonl');
const long = path.join(folder, 'long.jsonl');

async function record(
  file: string,
  runs: Record<string, readonly [agent: string, kind: 'agent' | 'tool', content: string][]>,
) {
  const recorder = jsonlRecorder(file);
  const runtime = createRuntime({ recorder, onAlarm: 'observe' });
  await Promise.all(
    Object.entries(runs).map(async ([runId, turns]) => {
      const session = runtime.openSession({ runId, task: 'How many cups are left?' });
      for (const [agent, kind, content] of turns) await session.submit({ agent, kind, content });
      await session.close({ status: 'completed' });
    }),
  );
  await recorder.close();
}

beforeAll(async () => {
  await record(log, {
    wrong: [
      ['solver', 'tool', '351'],
      ['solver', 'agent', 'So 341 cups are left.'],
      ['verifier', 'agent', 'Agreed.'],
    ],
    right: [
      ['solver', 'tool', '351'],
      ['solver', 'agent', '\u001b[2J\u001b]0;owned\u0007So \u202e351\u202c cups\nare left.'],
    ],
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

test('a run at length: step, agent, verdict and reason, and what came after the alarm marked as not asked', async () => {
  const { code, stdout } = await runCli('audit', log, '--run', 'wrong');
  expect(stdout).toMatch(/step\s+agent\s+kind\s+verdict\s+said/);
  expect(stdout).toMatch(/1\s+solver\s+tool\s+✓ continue\s+351/);
  expect(stdout).toMatch(/2\s+solver\s+agent\s+✗ ALARM\s+So 341 cups are left\./);
  expect(stdout).toMatch(/└─ step 2, solver: \[misquotes-result\]/);
  expect(stdout).toMatch(/3\s+verifier\s+agent\s+· not asked\s+Agreed\./);
  expect(code).toBe(0);
});

test('several runs: one line each, then the sum', async () => {
  const { stdout } = await runCli('audit', log);
  expect(stdout).toMatch(/^wrong\s+4 turns {2}✗ step {3}2 {2}solver/m);
  expect(stdout).toMatch(/^right\s+3 turns {2}✓ no alarm$/m);
  expect(stdout).toMatch(/2 runs in 1 file, 7 turns: 1 alarm, 0 failed audits/);
});

test('hostile agent text cannot steer the terminal', async () => {
  const { stdout } = await runCli('audit', log, '--run', 'right');
  expect(stdout).toMatch(/So 351 cups are left\./);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
});

test('what was said when the run was recorded stands beside, and given turns are not judged again', async () => {
  const file = path.join(folder, 'continued.jsonl');
  const recorder = jsonlRecorder(file);
  const own = { name: 'own', audit: ({ prefix }: AuditRequest) => ownVerdict(prefix.newest) };
  const runtime = createRuntime({ recorder, auditor: own, schedule: everyTurn() });
  const first = runtime.openSession({ runId: 'first', task: 'count' });
  await first.submit({ agent: 'solver', kind: 'tool', content: '351', id: 'a' });
  await first.submit({ agent: 'solver', kind: 'agent', content: 'So 341 cups are left.', id: 'b' });
  await first.close({ status: 'completed' });
  const continues = { runId: 'first', turns: first.turns() };
  const second = runtime.openSession({ runId: 'second', task: 'count', continues, overridden: ['b'] });
  await second.submit({ agent: 'writer', kind: 'agent', content: 'Bye' });
  await second.close({ status: 'completed' });
  await recorder.close();

  const halted = await runCli('audit', file, '--run', 'first');
  expect(halted.stdout).toMatch(/recorded {2}alarm at step 2 \(solver\) by own, halted: own reason/);
  const continued = await runCli('audit', file, '--run', 'second');
  expect(continued.stdout).toMatch(/2\s+solver\s+agent\s+· given\s+So 341 cups are left\./);
  expect(continued.stdout).toMatch(/3\s+writer\s+agent\s+✓ continue\s+Bye/);
  expect(continued.stdout).toMatch(/recorded {2}no alarm by own/);
});

function ownVerdict({ index, agent, content }: Turn): Verdict {
  if (!content.includes('341')) return { kind: 'continue' };
  return { kind: 'alarm', step: index, agent, reason: 'own reason' };
}

test('--json: one object a line, the summary last', async () => {
  const { stdout } = await runCli('audit', log, '--json');
  const objects = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const wrong = objects.find((object) => object.run?.runId === 'wrong').run;
  expect(wrong.alarm).toMatchObject({ kind: 'alarm', step: 2, agent: 'solver' });
  expect(wrong.steps.map(({ step, verdict }: { step: number; verdict: string }) => [step, verdict])).toEqual([
    [0, null],
    [1, 'continue'],
    [2, 'alarm'],
    [3, null],
  ]);
  expect(objects.at(-1).summary).toMatchObject({ files: 1, runs: 2, steps: 7, alarms: 1, failures: 0 });
});

test('--fail-on-alarm: exit code 1', async () => {
  expect((await runCli('audit', log, '--fail-on-alarm')).code).toBe(1);
  expect((await runCli('audit', log, '--fail-on-alarm', '--run', 'right')).code).toBe(0);
});

test('an unknown run id is bad input', async () => {
  const { code, stderr } = await runCli('audit', log, '--run', 'nobody');
  expect(stderr).toMatch(/no run with id nobody/);
  expect(code).toBe(2);
});

test('a folder: every run file in it, and a clear word where there is none', async () => {
  expect((await runCli('audit', folder, '--run', 'wrong')).stdout).toMatch(/1 run in \d+ files?/);
  const empty = mkdtempSync(path.join(tmpdir(), 'agentforesight-empty-'));
  const { code, stderr } = await runCli('audit', empty);
  rmSync(empty, { recursive: true });
  expect(stderr).toMatch(/no run file in this folder/);
  expect(code).toBe(2);
});

test('Ctrl-C stops between two runs: whole lines, a summary of what was done, exit code 130', async () => {
  const turns = Array.from({ length: 40 }, (_, i): [string, 'agent', string] => [
    'worker',
    'agent',
    `a word of turn ${i}. `.repeat(20),
  ]);
  await record(long, Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`run-${i}`, turns])));
  const child = startCli(['audit', '--json', long]);
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    if (stdout === '') child.kill('SIGINT');
    stdout += String(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const objects = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(objects.at(-1).summary.runs).toBe(objects.length - 1);
  expect(objects.length).toBeLessThan(400);
  expect(code).toBe(130);
});

test('a reader that stops listening, such as head, is no fault', async () => {
  const child = startCli(['audit', '--json', long]);
  child.stdout.once('data', () => child.stdout.destroy());
  const stderr = Array.fromAsync(child.stderr, String);
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect((await stderr).join('')).toBe('');
  expect(code).toBe(0);
});

test('--help and --version', async () => {
  const help = await runCli('audit', '--help');
  expect(help.stdout).toMatch(/Exit codes:/);
  expect(help.code).toBe(0);
  expect((await runCli('--version')).stdout).toMatch(/^\d+\.\d+\.\d+$/m);
});

test('label comparison counts the first alarm against a Who&When label', async () => {
  const file = path.join(folder, '1.json');
  const history = [
    { role: 'human', content: 'How many?' },
    { role: 'ComputerTerminal', content: '351' },
    { role: 'Solver', content: 'So 341 cups are left.' },
  ];
  writeFileSync(
    file,
    JSON.stringify({
      question: 'How many?',
      history,
      mistake_step: '2',
      mistake_agent: 'Solver',
      is_corrected: false,
    }),
  );
  const { stdout } = await runCli('audit', file);
  expect(stdout).toMatch(/label {2}unsafe: step 2, Solver: exact step, same agent/);
  expect(stdout).toMatch(/hand-crafted\s+1\s+1\s+1\s+1\s+0\.00\s+0\s+0\s+100\.0\s+100\.0/);
});
