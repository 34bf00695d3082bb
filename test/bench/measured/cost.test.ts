import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const cost = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'bench/measured/cost.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  });

it('says in one line that the corpora are not there', () => {
  const { status, stdout, stderr } = cost('--data', '/nowhere');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe('no /nowhere/aftraj: give the folder that holds aftraj/ and who-and-when/ as --data\n');
});

it('explains itself', () => {
  const { status, stdout } = cost('--help');
  expect(status).toBe(0);
  expect(stdout).toContain('--svg FILE');
});
