import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  type Auditor,
  createRuntime,
  everyTurn,
  jsonlRecorder,
  type RuntimeOptions,
  readCalibration,
  readRuns,
  signalsAuditor,
  uncalibrated,
} from '../../core/index.js';
import { runCli, startCli } from '../support/cli.js';
import { Draws } from '../support/simulated-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Its score of a turn is the number that the turn ends with. */
const reader: Auditor = {
  name: 'reader',
  schedule: everyTurn(),
  audit: ({ prefix }) => ({ kind: 'continue', score: Number(prefix.newest.content.split(' ').at(-1)) }),
};

const draws = new Draws(11);
const scoreTexts = (turns: number) =>
  Array.from({ length: turns }, (_, at) => `step ${at} ${(0.6 * draws.uniform()).toFixed(6)}`);

async function record(
  file: string,
  runs: Readonly<Record<string, readonly string[]>>,
  options: Partial<RuntimeOptions> = { auditor: reader, calibration: uncalibrated },
) {
  const recorder = jsonlRecorder(file);
  const runtime = createRuntime({ recorder, ...options });
  await Promise.all(
    Object.entries(runs).map(async ([runId, turns]) => {
      const session = runtime.openSession({ runId, task: `task of ${runId}` });
      for (const content of turns) await session.submit({ agent: 'solver', kind: 'agent', content });
      await session.close({ status: 'completed' });
    }),
  );
  await recorder.close();
}

const healthyRuns = (count: number, turns = 4, name = 'run') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}-${at}`, scoreTexts(turns)]));

const calibrateIn = (folder: string, ...args: readonly string[]) =>
  runCli('calibrate', '--out', path.join(folder, 'calibration.json'), ...args);

test('scores of a log become a file that halts a live run, and only one that is out of the ordinary', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'healthy.jsonl');
  await record(log, healthyRuns(120));
  const { code, stdout, stderr } = await calibrateIn(folder, '--runs', log, '--far', '0.1');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^reader, calibrated on 120 healthy runs of 120 tasks/);
  expect(stdout).toMatch(/from step\s+alarm above/);
  expect(stdout).toMatch(/10\.0 % asked for, 8\.3 % here \(5 of 60\)/);
  expect(stdout).toMatch(/with 95 % confidence: 2\.8 % to 18\.4 %/);
  expect(stdout).toMatch(/about \d+ healthy runs in all bring the upper end to 15\.0 %/);

  const calibration = await readCalibration(path.join(folder, 'calibration.json'));
  expect(calibration).toMatchObject({
    auditor: 'reader',
    far: 0.1,
    runs: { shape: 60, calibration: 60, exceeding: 5 },
  });
  const runtime = createRuntime({ auditor: reader, calibration });
  const session = runtime.openSession({ runId: 'live', task: 'live' });
  const says = (content: string) => session.submit({ agent: 'solver', kind: 'agent', content });
  expect(await says('0.3')).toEqual({ action: 'proceed' });
  expect(await says('0.95')).toMatchObject({ action: 'halt', halt: { alarm: { step: 2, score: 0.95 } } });
});

test('the same logs and seed give the same thresholds; --json tells all', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'healthy.jsonl');
  await record(log, healthyRuns(80));
  const thresholds = async (...more: readonly string[]) =>
    JSON.parse((await calibrateIn(folder, '--json', '--runs', log, ...more)).stdout).calibration.thresholds;
  const first = await thresholds();
  expect(await thresholds()).toEqual(first);
  expect(await thresholds('--seed', '2')).not.toEqual(first);
});

test('too few runs: how many are missing, nothing written, exit code 2', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'healthy.jsonl');
  await record(log, healthyRuns(15));
  const { code, stderr } = await calibrateIn(folder, '--runs', log);
  expect(stderr).toMatch(
    /healthy\.jsonl: holds 15 healthy runs with scores; .* fewer than 19\. It needs 4 more/,
  );
  expect(code).toBe(2);
  expect(fs.readdirSync(folder)).toEqual(['healthy.jsonl']);
});

test('runs that an alarm ended count as false alarms; those that tell nothing are left out, and counted', async () => {
  const folder = temporaryFolder();
  const observed = { auditor: alarmingAbove(0.55), onAlarm: 'observe' } as const;
  await record(path.join(folder, 'observed.jsonl'), healthyRuns(60), observed);
  await record(path.join(folder, 'unscored.jsonl'), { other: ['a', 'b'] }, { auditor: { ...unscored } });
  const { stdout } = await calibrateIn(folder, '--runs', folder, '--far', '0.4');
  const ended = Number(/(\d+) runs ended by an alarm/.exec(stdout)?.[1]);
  expect(ended).toBeGreaterThan(5);
  expect(stdout).toMatch(/left out: 1 without scores/);
  const strict = await calibrateIn(folder, '--runs', path.join(folder, 'observed.jsonl'), '--far', '0.05');
  expect(strict.stdout).toMatch(/let nothing alarm/);
});

const unscored: Auditor = { name: 'reader', schedule: everyTurn(), audit: () => ({ kind: 'continue' }) };

function alarmingAbove(limit: number): Auditor {
  return {
    ...reader,
    audit: async (request, options) => {
      const { score = 0 } = await reader.audit(request, options);
      if (score <= limit) return { kind: 'continue', score };
      return { kind: 'alarm', step: request.prefix.newest.index, agent: 'solver', reason: 'high', score };
    },
  };
}

test('a file that is no calibration is left alone; an earlier calibration is replaced', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'healthy.jsonl');
  const out = path.join(folder, 'calibration.json');
  await record(log, healthyRuns(40));
  fs.writeFileSync(out, '{"name":"package"}');
  const refused = await calibrateIn(folder, '--runs', log);
  expect(refused.stderr).toMatch(/calibration\.json: exists, and is none of ours to replace/);
  expect(refused.code).toBe(2);
  expect(fs.readFileSync(out, 'utf8')).toBe('{"name":"package"}');
  fs.rmSync(out);
  await calibrateIn(folder, '--runs', log);
  expect((await calibrateIn(folder, '--runs', log, '--far', '0.1')).code).toBe(0);
  expect((await readCalibration(out)).far).toBe(0.1);
});

test.each<[string, readonly string[], RegExp]>([
  ['a rate of nothing', ['--far', '0'], /Give a share between 0 and 1/],
  ['a log without an auditor', ['--log', 'x.jsonl'], /nobody is asked, so there is nothing to log/],
  ['an auditor that is not there', ['--auditor', '/nowhere.json'], /\/nowhere\.json: does not exist/],
  [
    'failed runs without labels',
    ['--failed', 'HEALTHY'],
    /no run that is labelled as failed \(left out: 40 without a label\)/,
  ],
  [
    'a check on the runs calibrated on',
    ['--check', 'HEALTHY'],
    /holds 40 of the runs that the thresholds were made from/,
  ],
])('%s is bad input', async (_, args, message) => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'healthy.jsonl');
  await record(log, healthyRuns(40));
  const given = args.map((arg) => (arg === 'HEALTHY' ? log : arg));
  const { code, stderr } = await calibrateIn(folder, '--runs', log, ...given);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('what the command wrote into the folder of its runs is none of them', async () => {
  const folder = temporaryFolder();
  await record(path.join(folder, 'healthy.jsonl'), healthyRuns(40), { auditor: signalsAuditor() });
  const args = ['--runs', folder, '--auditor', 'signals', '--log', path.join(folder, 'audits.jsonl')];
  expect((await calibrateIn(folder, ...args)).code).toBe(0);
  const again = await calibrateIn(folder, ...args);
  expect(again.stderr).toBe('');
  expect(again.stdout).toMatch(/calibrated on 40 healthy runs/);
});

test('scores of two auditors do not mix', async () => {
  const folder = temporaryFolder();
  await record(path.join(folder, 'one.jsonl'), healthyRuns(30));
  const other = { auditor: { ...reader, name: 'other' }, calibration: uncalibrated };
  await record(path.join(folder, 'other.jsonl'), healthyRuns(30, 4, 'other'), other);
  const { code, stderr } = await calibrateIn(folder, '--runs', folder);
  expect(stderr).toMatch(/scores of several auditors: reader, other/);
  expect(code).toBe(2);
});

test('held-out runs are compared with the promise', async () => {
  const folder = temporaryFolder();
  const [log, held] = [path.join(folder, 'healthy.jsonl'), path.join(folder, 'held.jsonl')];
  await record(log, healthyRuns(120));
  await record(held, healthyRuns(100, 4, 'held'));
  const { stdout } = await calibrateIn(folder, '--runs', log, '--far', '0.1', '--check', held);
  expect(stdout).toMatch(/held out: \d+ of 100 healthy runs with an alarm, .* %; inside 2\.8 % to 18\.4 %/);
  expect(stdout).toMatch(/^as expected: \d+ to \d+ of so many$/m);
});

test('an auditor of a configuration is asked about every turn but the task; one without scores is told', async () => {
  const folder = temporaryFolder();
  const [log, config, audits] = ['runs.jsonl', 'auditor.json', 'audits.jsonl'].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  await record(log, healthyRuns(40), { auditor: signalsAuditor() });
  fs.writeFileSync(config, JSON.stringify({ kind: 'signals', scored: true, schedule: 'portable' }));
  const args = ['--runs', log, '--auditor', config, '--log', audits];
  expect((await calibrateIn(folder, ...args)).code).toBe(0);
  const runs = await Array.fromAsync(readRuns(audits));
  expect(runs).toHaveLength(40);
  expect(runs.every(({ verdicts }) => verdicts.map(({ step }) => step).join() === '1,2,3,4')).toBe(true);
  const out = path.join(folder, 'calibration.json');
  const calibration = await readCalibration(out);
  expect(() => createRuntime({ auditor: signalsAuditor({ scored: true }), calibration })).not.toThrow();
  const applied = await runCli('audit', log, '--auditor', config, '--calibration', out);
  expect(applied.code).toBe(0);

  fs.writeFileSync(config, JSON.stringify({ kind: 'signals' }));
  const mistaken = await runCli('audit', log, '--auditor', config, '--calibration', out);
  expect(mistaken.stderr).toMatch(/for the scores of signals-scored, and the auditor is signals/);
  expect(mistaken.code).toBe(2);
  const without = await calibrateIn(folder, '--runs', log, '--auditor', config);
  expect(without.stderr).toMatch(
    /holds 0 healthy runs with scores \(left out: 40 without scores \(invalid\)\)/,
  );
  expect(without.code).toBe(2);
});

test('Ctrl-C, and the same command again: no run is audited twice, and the thresholds are as if nothing had been', async () => {
  const folder = temporaryFolder();
  const log = path.join(folder, 'runs.jsonl');
  const audits = path.join(folder, 'audits.jsonl');
  const whole = path.join(folder, 'whole.json');
  await record(log, healthyRuns(150, 20), { auditor: signalsAuditor() });
  const args = ['calibrate', '--runs', log, '--auditor', 'signals', '--log', audits, '--out'];
  const child = startCli([...args, path.join(folder, 'never.json')]);
  const watching = setInterval(() => {
    if (!fs.existsSync(audits) || fs.statSync(audits).size < 60_000) return;
    clearInterval(watching);
    child.kill('SIGINT');
  }, 5);
  const stderr = Array.fromAsync(child.stderr, String);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watching);
  expect(code).toBe(130);
  expect((await stderr).join('')).toMatch(/stopped; the same command goes on where .*audits\.jsonl ends/);
  expect(fs.existsSync(path.join(folder, 'never.json'))).toBe(false);

  const done = await completed(audits);
  expect(done.length).toBeGreaterThan(0);
  expect(done.length).toBeLessThan(150);
  expect((await runCli(...args, path.join(folder, 'resumed.json'))).code).toBe(0);
  const all = await completed(audits);
  expect(new Set(all).size).toBe(150);
  expect(all).toHaveLength(150);
  await runCli('calibrate', '--runs', log, '--auditor', 'signals', '--out', whole);
  const resumed = await readCalibration(path.join(folder, 'resumed.json'));
  expect((await readCalibration(whole)).thresholds).toEqual(resumed.thresholds);
}, 120_000);

async function completed(log: string): Promise<string[]> {
  const runs = await Array.fromAsync(readRuns(log));
  return runs.filter(({ outcome }) => outcome?.status === 'completed').map(({ run }) => run.runId);
}
