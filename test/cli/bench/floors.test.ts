import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPredictions } from '../../../bench/predictions-file.js';
import { dataFolder } from '../../collectors/support/data-folder.js';
import { runCli } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('an unknown protocol, and a path without runs, are bad input in one line', async () => {
  const unknown = await runCli('bench', 'floors', 'x', '--protocol', 'loose');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(/Allowed choices are strict, official, both/);
  const missing = await runCli('bench', 'floors', '/nowhere/at/all');
  expect(missing.code).toBe(2);
  expect(missing.stderr.trim().split('\n')).toHaveLength(1);
});

const folder = dataFolder('who-and-when');

describe.skipIf(!folder)('over Who&When', () => {
  test('a table for each half, the signals auditor beside the floors', { timeout: 60_000 }, async () => {
    const { code, stdout } = await runCli('bench', 'floors', folder ?? '', '--protocol', 'strict');
    expect(code).toBe(0);
    expect(stdout).toContain('who-and-when-ag, strict: 126 unsafe and 0 safe runs');
    expect(stdout).toMatch(/^First worker turn +38\.1 .* 61\.9 +2\.34/m);
    expect(stdout.match(/^Signals auditor/gm)).toHaveLength(2);
  });

  test('predictions are files that can be scored again', { timeout: 60_000 }, async () => {
    const out = path.join(await temporaryFolder(), 'floors');
    const { code, stdout } = await runCli(
      ...['bench', 'floors', folder ?? '', '--protocol', 'official', '--out', out, '--json'],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).floors[0]).toMatchObject({ name: 'signals', protocol: 'official' });
    expect((await readdir(out)).sort()).toEqual(
      ['always-step-1', 'always-step-4', 'echo-rule', 'first-worker-turn', 'signals'].map(
        (name) => `${name}.official.jsonl`,
      ),
    );
    const { header, predictions } = await readPredictions(path.join(out, 'always-step-1.official.jsonl'));
    expect(header).toMatchObject({ auditor: 'always-step-1', protocol: 'official' });
    expect(predictions).toHaveLength(184);
  });
});
