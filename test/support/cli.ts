import { spawn } from 'node:child_process';
import path from 'node:path';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const main = path.resolve(import.meta.dirname, '../../cli/main.ts');

/** Starts the command line as a process of its own, from the sources. */
export function startCli(args: readonly string[]) {
  return spawn(process.execPath, ['--import', 'tsx', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
}

export async function runCli(...args: string[]): Promise<CliResult> {
  const child = startCli(args);
  const [stdout, stderr, code] = await Promise.all([
    Array.fromAsync(child.stdout, String),
    Array.fromAsync(child.stderr, String),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}
