import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder } from '../../collectors/support/data-folder.js';

const root = path.resolve(import.meta.dirname, '../../..');
const collect = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'bench/measured/collect.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
  });

it('says in one line that AFTraj is not there', () => {
  const { status, stdout, stderr } = collect('--data', '/nowhere');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe('no /nowhere/aftraj: give the folder that holds aftraj/ as --data\n');
});

it('explains itself', () => {
  const { status, stdout } = collect('--help');
  expect(status).toBe(0);
  expect(stdout).toContain('--quick');
});

it.skipIf(dataFolder('aftraj') === undefined)(
  'AFTraj is collected within the time and memory that are promised',
  () => {
    const data = path.dirname(dataFolder('aftraj') as string);
    const { stdout } = collect('--quick', '--data', data);
    const { seconds, peakMb, growth } = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string);
    expect(growth).toBeNull();
    expect(seconds).toBeLessThan(20);
    expect(peakMb).toBeLessThan(1_000);
  },
  60_000,
);
