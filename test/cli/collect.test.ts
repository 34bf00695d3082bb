import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FeedbackRecord } from '../../core/index.js';
import { dataFolder } from '../collectors/support/data-folder.js';
import { folderBytes } from '../collectors/support/folder-bytes.js';
import { runCli, startCli } from '../support/cli.js';
import { closeRecord, runRecord, turnRecord } from '../support/records.js';
import { logFile, temporaryFolder } from '../support/temporary-folder.js';

const afTraj = dataFolder('aftraj');

const run = (runId: string, consent?: boolean) => [
  runRecord(runId, { consent, task: `Task of ${runId}.` }),
  turnRecord(runId, '0', { kind: 'user' }),
  turnRecord(runId, '1', { index: 1, content: `What ${runId} says.` }),
  closeRecord(runId),
];
const worked = (runId: string) =>
  ({ v: 1, type: 'feedback', runId, at: 1, value: 1, by: 'thumbs' }) as FeedbackRecord;
const log = () => logFile(...run('a', true), worked('a'), ...run('b'), ...run('c', false));

const json = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8'));

describe('collect', () => {
  it('without a configuration needs no model, and tells what became of the runs', async () => {
    const out = path.join(temporaryFolder(), 'corpus');
    const { code, stdout, stderr } = await runCli('collect', log(), '--out', out);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^run-log +3 +6 +1 +consent 2 /m);
    expect(stdout).toMatch(/^ingest +3 +1 +2 \(consent 2\) +0 +1$/m);
    expect(stdout).toMatch(/^split +1 +1 +0 +0 +1$/m);
    expect(fs.readdirSync(path.join(out, 'export')).sort()).toEqual([
      'README.md',
      'aftraj_safe.parquet',
      'aftraj_unsafe.parquet',
      'splits_test.json',
    ]);
  });

  it('with --json gives the manifests, and says what was there before', async () => {
    const [input, out] = [log(), temporaryFolder()];
    await runCli('collect', input, '--out', out, '--until', 'ingest');
    const { stdout } = await runCli('collect', input, '--out', out, '--until', 'split', '--json');
    const { steps } = JSON.parse(stdout);
    expect(steps.map((step: { name: string; reused: boolean }) => [step.name, step.reused])).toEqual([
      ['ingest', true],
      ['outcome', false],
      ['filter', false],
      ['split', false],
    ]);
    expect(steps[3]).toMatchObject({ done: true, counts: { in: 1, out: 1 }, found: { samples: 1 } });
    expect(fs.existsSync(path.join(out, 'export'))).toBe(false);
  });

  it('assumes consent on demand only, and the manifest says so', async () => {
    const [input, out] = [log(), temporaryFolder()];
    await runCli('collect', input, '--out', out);
    await runCli('collect', input, '--out', out, '--consent', 'assume');
    const { options, counts } = json(path.join(out, '01-ingest.json'));
    expect([options.consent, counts.out]).toEqual(['assume', 2]);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', 'not json', 'is not JSON'],
    ['an unknown field', { stages: [], stagse: [] }, 'Unrecognized key: "stagse"'],
    ['no stages', {}, '(stages): '],
    [
      'an unknown stage',
      { stages: [{ stage: 'filtre' }] },
      '(stages[0].stage): there is none named "filtre"',
    ],
    [
      'the name of an object’s method',
      { stages: [{ stage: 'toString' }] },
      '(stages[0].stage): there is none',
    ],
    ['an option out of range', { stages: [{ stage: 'split', testShare: 2 }] }, '(stages[0].testShare): '],
    [
      'an unknown option',
      { stages: [{ stage: 'split', share: 0.1 }] },
      '(stages[0]): Unrecognized key: "share"',
    ],
    ['an unknown export', { stages: [], exports: [{ export: 'csv' }] }, '(exports[0].export): there is none'],
    ['an unknown outcome', { ingest: { outcomes: ['done'] }, stages: [] }, '(ingest.outcomes[0]): '],
  ])('a configuration with %s is one line with the field, and exit code 2', async (_, config, message) => {
    const file = path.join(temporaryFolder(), 'collect.json');
    fs.writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
    const out = path.join(temporaryFolder(), 'corpus');
    const { code, stdout, stderr } = await runCli('collect', log(), '--out', out, '--config', file);
    expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(stderr).toContain(`${file}`);
    expect(stderr).toContain(message);
    expect(fs.existsSync(out)).toBe(false);
  });

  it.each<[string, (input: string) => readonly string[], string]>([
    [
      'an unknown stage to stop at',
      (input) => [input, '--out', temporaryFolder(), '--until', 'x'],
      'there is no stage x. Stages are ingest, outcome, filter, split, scrub',
    ],
    [
      'a folder inside of what is read',
      (input) => [path.dirname(input), '--out', path.join(path.dirname(input), 'corpus')],
      'is inside of',
    ],
    ['a file that is not there', () => ['nowhere.jsonl', '--out', temporaryFolder()], 'does not exist'],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await runCli('collect', ...args(log()));
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('with --keep-going passes over bad lines, and exits with 2, also when all was done before', async () => {
    const input = logFile(...run('a', true), '{"type":', ...run('b', true));
    const out = temporaryFolder();
    expect((await runCli('collect', input, '--out', out)).code).toBe(2);
    for (let times = 0; times < 2; times++) {
      const { code, stdout } = await runCli('collect', input, '--out', out, '--keep-going');
      expect(code).toBe(2);
      expect(stdout).toMatch(/^ingest( \(as before\))? +2 +2 /m);
    }
  });

  it.runIf(afTraj)(
    'stopped by Ctrl-C exits with 130, and is taken up to the same bytes',
    async () => {
      const whole = path.join(temporaryFolder(), 'whole');
      await runCli('collect', afTraj as string, '--out', whole);
      const out = path.join(temporaryFolder(), 'stopped');
      const child = startCli(['collect', afTraj as string, '--out', out]);
      const stderr = Array.fromAsync(child.stderr, String);
      const closed = new Promise((resolve) => child.once('close', resolve));
      const file = path.join(out, '01-ingest.jsonl');
      while (!(fs.existsSync(file) && fs.statSync(file).size > 0)) await setTimeout(5);
      child.kill('SIGINT');
      expect(await closed).toBe(130);
      expect((await stderr).join('')).toContain('the same command takes it up again');
      expect(json(path.join(out, '01-ingest.json')).done).toBe(false);
      expect((await runCli('collect', afTraj as string, '--out', out)).code).toBe(0);
      expect(folderBytes(out)).toEqual(folderBytes(whole));
    },
    180_000,
  );

  it('says in one line that a folder cannot be made', async () => {
    const file = log();
    const { code, stderr } = await runCli('collect', log(), '--out', path.join(file, 'x'));
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/no folder can be made here .*Give another one/);
  });

  it('says so where no run is left, and why that may be', async () => {
    const { code, stderr } = await runCli(
      'collect',
      logFile(...run('nobody-asked')),
      '--out',
      path.join(temporaryFolder(), 'corpus'),
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/^agentforesight: no run is left: .*--consent assume/);
  });
});
