import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '../..');
const LOCK = path.join(root, 'test/python/requirements.lock');

/** Long enough to fetch and unpack some hundred megabytes. Milliseconds. */
export const PYTHON_SET_UP = 300_000;

export interface Python {
  /** @returns what the script, a file of test/python, prints. Throws with its stderr when it fails. */
  run(script: string, ...args: readonly string[]): string;
}

/**
 * A Python with the packages of test/python/requirements.lock, made when first asked for and kept under node_modules/.cache,
 * by lock and version. Needs `python3` (3.11 or newer), or another one named in AGENTFORESIGHT_PYTHON.
 */
export async function python(): Promise<Python> {
  const base = process.env['AGENTFORESIGHT_PYTHON'] ?? 'python3';
  const version = execFileSync(base, ['--version'], { encoding: 'utf8' });
  const key = hash('sha256', `${version}\n${readFileSync(LOCK, 'utf8')}`).slice(0, 16);
  const folder = path.join(root, 'node_modules/.cache', `python-${key}`);
  const executable = path.join(folder, 'bin/python');
  const ready = path.join(folder, 'ready');
  await alone(`${folder}.lock`, () => {
    if (existsSync(ready)) return;
    rmSync(folder, { recursive: true, force: true });
    execFileSync(base, ['-m', 'venv', folder]);
    const install = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--require-hashes',
      '--only-binary',
      ':all:',
      '-r',
      LOCK,
    ];
    execFileSync(executable, install, { stdio: ['ignore', 'ignore', 'inherit'] });
    writeFileSync(ready, '');
  });
  return {
    run: (script, ...args) =>
      execFileSync(executable, [path.join(root, 'test/python', script), ...args], {
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      }),
  };
}

/** While one process works, the others wait: a folder can be made only once. */
async function alone(lock: string, work: () => void): Promise<void> {
  mkdirSync(path.dirname(lock), { recursive: true });
  const giveUpAt = Date.now() + PYTHON_SET_UP;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (cause) {
      if (Date.now() > giveUpAt) throw new Error(`${lock} was left behind: remove it`, { cause });
      await sleep(200);
    }
  }
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true });
  }
}
