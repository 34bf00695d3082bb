import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writePredictions } from '../../../bench/predictions-file.js';
import { unsafe } from '../../bench/support/predictions.js';
import { predictionsOf, scoredRun } from '../../bench/support/scored.js';
import { runCli } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function files() {
  const folder = temporaryFolder();
  const rows = (split: 'train' | 'test') =>
    Array.from({ length: 40 }, (_, at) => (at + 1) / 40).flatMap((score, at) => [
      scoredRun(`${split}-safe-${at}`, { split, scores: [0, score] }),
      scoredRun(`${split}-failed-${at}`, { split, label: unsafe(1), scores: [0, score / 2 + 0.5] }),
    ]);
  const [train, test] = ['train', 'test'].map((name) => path.join(folder, `${name}.jsonl`)) as [
    string,
    string,
  ];
  await writePredictions(train, predictionsOf([]).header, rows('train'));
  await writePredictions(test, predictionsOf([]).header, rows('test'));
  return { folder, train, test };
}

describe('bench thresholds', () => {
  it('writes down each look at a test split, and warns from the second operating point on', async () => {
    const { train, test } = await files();
    const look = (...options: string[]) => runCli('bench', 'thresholds', train, '--check', test, ...options);
    const first = await look('--far', '0.1');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('looked at with 1 operating point by now');
    const again = await look('--far', '0.1');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    const other = await look('--far', '0.2');
    expect(other.code).toBe(0);
    expect(other.stderr).toContain('WARNING: this test split has been looked at 2 times');
    const { looks } = JSON.parse(readFileSync(`${test}.looks.json`, 'utf8'));
    expect(looks.map(({ far, points }: { far: number; points: object[] }) => [far, points.length])).toEqual([
      [0.1, 2],
      [0.2, 2],
    ]);
    expect(looks[0].points[0]).toMatchObject({
      name: 'constant',
      thresholds: [{ fromStep: 0, above: 0.9 }],
      far: 10,
    });
  }, 60_000);

  it('writes nothing beside a file that was not to be looked at', async () => {
    const { train, test } = await files();
    const { code, stdout } = await runCli('bench', 'thresholds', train, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ auditor: 'judge', runs: 80, looked: null });
    expect(existsSync(`${train}.looks.json`) || existsSync(`${test}.looks.json`)).toBe(false);
  });

  it('writes one page with both charts', async () => {
    const { folder, train, test } = await files();
    const html = path.join(folder, 'page.html');
    const { code } = await runCli('bench', 'thresholds', train, '--check', test, '--html', html);
    expect(code).toBe(0);
    const page = readFileSync(html, 'utf8');
    expect(page.match(/<svg/g)).toHaveLength(2);
    expect(page).toContain('held out');
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    const refused = await runCli('bench', 'thresholds', train, '--html', train);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is read here');
  }, 60_000);

  it('says in one line what is wrong with a record of looks', async () => {
    const { train, test } = await files();
    writeFileSync(`${test}.looks.json`, '{"v": 2}');
    const { code, stderr } = await runCli('bench', 'thresholds', train, '--check', test);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^agentforesight: [^\n]*test\.jsonl\.looks\.json \(v\)[^\n]*\n$/);
  });
});
