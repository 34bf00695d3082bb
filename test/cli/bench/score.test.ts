import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PredictionsHeader, writePredictions } from '../../../bench/predictions-file.js';
import { perSampleConfig, perSampleRow } from '../../bench/support/per-sample-rows.js';
import { prediction, unsafe } from '../../bench/support/predictions.js';
import { dataFolder } from '../../collectors/support/data-folder.js';
import { runCli } from '../../support/cli.js';
import { logFile, temporaryFolder } from '../../support/temporary-folder.js';

const ESCAPE = '\u001b[31m';

const header: PredictionsHeader = {
  type: 'predictions',
  v: 1,
  auditor: `signals${ESCAPE}`,
  protocol: 'strict',
  toEnd: false,
  schedule: 'own',
  auditorDigest: 'abc',
  datasets: ['corpus'],
  createdAt: '2026-12-01T00:00:00.000Z',
};

async function ourFile(): Promise<string> {
  const file = path.join(temporaryFolder(), 'predictions.jsonl');
  await writePredictions(file, header, [
    prediction({ runId: 'a', domain: `ma${ESCAPE}th`, label: unsafe(1) }, 'continue', { step: 1 }),
    prediction({ runId: 'b', domain: 'coding', label: unsafe(1) }, 'continue', 'failure'),
    prediction({ runId: 'c', domain: 'coding' }, 'continue', 'continue'),
  ]);
  return file;
}

function foreignFile(): string {
  return logFile(perSampleConfig(), perSampleRow());
}

test('our predictions and the harness’s, told apart by content, a table each; what is hostile is not printed raw', async () => {
  const { code, stdout } = await runCli('bench', 'score', await ourFile(), foreignFile());
  expect(code).toBe(0);
  const [ours = '', theirs = ''] = stdout.split(/\n\n(?=\/)/);
  expect(ours).toContain('auditor signals, backbone none, protocol strict');
  expect(ours).toContain("the auditor's own schedule chose");
  expect(ours).toMatch(/^Exact-F1, released code +66\.67/m);
  expect(ours).toMatch(/^Step-Acc +50\.00 .* 1 of 2 unsafe runs$/m);
  expect(ours).toMatch(/1 of 6 audits failed, in 1 run/);
  expect(ours).toMatch(/^by domain/m);
  expect(ours).toMatch(/^math /m);
  expect(theirs).toContain('auditor the released harness, backbone tiny, protocol official');
  expect(theirs).toContain('without --data');
  expect(theirs).toMatch(/^Agent-Acc, base name +-$/m);
  expect(stdout).not.toContain(ESCAPE);
});

test('--json, --by and --seed', async () => {
  const file = await ourFile();
  const { stdout } = await runCli('bench', 'score', file, '--json', '--by', 'domain', '--seed', '5');
  const { files } = JSON.parse(stdout) as { files: readonly Record<string, unknown>[] };
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({
    file,
    protocol: 'strict',
    scores: [{ dataset: 'corpus', overall: { stepAcc: { value: 50, part: 1, of: 2 } } }],
  });
  const { scores } = files[0] as unknown as { scores: [{ by: Record<string, unknown> }] };
  expect(Object.keys(scores[0].by)).toEqual(['domain']);
});

test.each([
  ['a part that there is not', ['--by', 'colour'], /--by colour.*domain, source, split, length/],
  ['a dataset without the run', ['--data'], /run math_0001_unsafe is not in the data|does not exist/],
])('%s is one line and exit code 2', async (_, more, message) => {
  const data = more[0] === '--data' ? [path.join(temporaryFolder(), 'nowhere')] : [];
  const { code, stdout, stderr } = await runCli('bench', 'score', foreignFile(), ...more, ...data);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(message);
});

test('what is neither of the two kinds is refused', async () => {
  const file = logFile({ some: 'thing' }, { or: 'other' });
  const { code, stderr } = await runCli('bench', 'score', file);
  expect(code).toBe(2);
  expect(stderr).toMatch(/log\.jsonl:1: is no predictions file/);
});

const aftraj = dataFolder('aftraj');

describe.skipIf(aftraj === undefined)('the third-party predictions', () => {
  const file = path.join(aftraj ?? '', 'third-party-deepseek-v4-flash.per_sample.jsonl');

  test('print the aggregates that were published of them', async () => {
    const { stdout } = await runCli('bench', 'score', file, '--by', 'domain');
    expect(stdout).toContain('aftraj: 332 runs');
    for (const row of [
      /^Exact-F1, released code +30\.94 /m,
      /^ASS, in steps +2\.77 /m,
      /^FAR +31\.36 /m,
      /^Step-Acc +34\.36 /m,
      /^alarms on clean prefixes, unsafe runs +15\.40 .*83 of 539 verdicts$/m,
      /^math +58 +58 +40\.32 .* 43\.10 .* 3\.44 .* 15\.52 /m,
      /^coding +37 +54 +12\.82 .* 13\.51 .* 4\.59 .* 35\.19 /m,
      /^agentic +68 +57 +32\.50 .* 38\.24 .* 1\.60 .* 43\.86 /m,
      /^6 of 822 audits failed, in 6 runs; 4 runs got no verdict at all$/m,
    ])
      expect(stdout).toMatch(row);
  });

  test('with the dataset: natural failures apart, who was blamed, tasks together', async () => {
    const { stdout } = await runCli('bench', 'score', file, '--data', aftraj as string, '--by', 'source');
    expect(stdout).toMatch(/332 runs in 217 groups/);
    expect(stdout).toMatch(/^natural +55 +169 +27\.16 /m);
    expect(stdout).toMatch(/^Agent-Acc, base name +62\.58 .*102 of 163/m);
    expect(stdout).not.toContain('without --data');
  });

  test('a label that differs from the dataset’s is refused', async () => {
    const changed = path.join(temporaryFolder(), 'changed.jsonl');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"gt_step": 11,');
    writeFileSync(changed, text.replace('"gt_step": 11,', '"gt_step": 10,'));
    const { code, stderr } = await runCli('bench', 'score', changed, '--data', aftraj as string);
    expect(code).toBe(2);
    expect(stderr).toMatch(/error at step 10 here and .* step 11 in the data/);
  });
});
