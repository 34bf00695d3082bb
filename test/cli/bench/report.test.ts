import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Prediction } from '../../../bench/prediction.js';
import { type PredictionsHeader, writePredictions } from '../../../bench/predictions-file.js';
import { audit, prediction, unsafe } from '../../bench/support/predictions.js';
import { runCli } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Thirty runs in which a mistake was made at step 1, and as many healthy ones; `found` of the former are found. */
function said(found: number): Prediction[] {
  return Array.from({ length: 60 }, (_, at) => {
    const label = at % 2 === 0 ? unsafe(1) : ({ kind: 'safe' } as const);
    const { truth } = prediction({ runId: `run-${at}`, dataset: 'aftraj', split: 'test', turns: 2, label });
    const isFound = at % 2 === 0 && at / 2 < found;
    return { truth, audits: [audit(0, 'continue'), audit(1, isFound ? { step: 1 } : 'continue')] };
  });
}

async function predictionsFile(auditor: string, found: number, changes: Partial<PredictionsHeader> = {}) {
  const file = path.join(temporaryFolder(), `${auditor}.jsonl`);
  const header: PredictionsHeader = {
    type: 'predictions',
    v: 1,
    auditor,
    protocol: 'strict',
    toEnd: false,
    schedule: 'every',
    auditorDigest: auditor,
    datasets: ['aftraj'],
    createdAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  };
  await writePredictions(
    file,
    header,
    said(found).map((one) => ({ ...one, inputDigest: one.truth.runId })),
  );
  return file;
}

test('tables, planes and a page are written beside the floors, and what they show is said', async () => {
  const [mine, floor] = await Promise.all([predictionsFile('mine', 27), predictionsFile('echo-rule', 3)]);
  const out = path.join(temporaryFolder(), 'report');
  const { code, stdout, stderr } = await runCli('bench', 'report', mine, floor, '--out', out);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^mine, strict: Exact-F1 94\.7, above the floor echo-rule \(18\.2\)/);
  expect(fs.readdirSync(out).sort()).toEqual(['plane-strict.svg', 'report.html', 'report.json', 'report.md']);
  expect(fs.readFileSync(path.join(out, 'report.md'), 'utf8')).toContain(
    '| echo-rule | none | strict | floor |',
  );
  expect(fs.readFileSync(path.join(out, 'report.html'), 'utf8')).toContain('<svg');
});

test('without floors there is no report, and nothing is written', async () => {
  const [mine, floor] = await Promise.all([
    predictionsFile('mine', 28),
    predictionsFile('echo-rule', 3, { protocol: 'official' }),
  ]);
  const out = path.join(temporaryFolder(), 'report');
  const { code, stderr } = await runCli('bench', 'report', mine, floor, '--out', out);
  expect(code).toBe(2);
  expect(stderr).toContain('no floor was walked on aftraj under strict. Give --data');
  expect(fs.existsSync(out)).toBe(false);
});

test('a checkpoint stands in the ablation, by the stages of its training', async () => {
  const options = { protocol: 'official', model: 'checkpoint' } as const;
  const [base, floor] = await Promise.all([
    predictionsFile('chat', 15, options),
    predictionsFile('echo-rule', 3, options),
  ]);
  const out = path.join(temporaryFolder(), 'report');
  const command = ['bench', 'report', floor, '--ablation', `base=${base}`, '--out', out, '--json'];
  const { stdout } = await runCli(...command);
  const { tables } = JSON.parse(stdout) as { tables: { title: string; rows: Record<string, unknown>[] }[] };
  const rows = tables.find(({ title }) => /stages/.test(title))?.rows ?? [];
  // 2 * 15 / (30 + 15)
  expect(rows[0]).toMatchObject({
    stages: 'base model',
    backbone: 'checkpoint',
    ours: { value: 66.67 },
    published: 21.1,
  });
});

test.each([
  ['a stage that there is none of', ['--ablation', 'stage3=x'], 'Give base=FILE'],
  ['a folder that cannot be made', ['--out', '/dev/null/x'], 'no folder can be made here'],
])('%s is told in one line', async (_what, options, told) => {
  const files = await Promise.all([predictionsFile('mine', 28), predictionsFile('echo-rule', 3)]);
  const { code, stderr } = await runCli('bench', 'report', ...files, ...options);
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain(told);
});
