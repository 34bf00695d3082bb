import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ENTER } from './enter.js';

export interface SandboxLimits {
  readonly wallMs: number;
  /** Of one process. Seconds, whole. */
  readonly cpuSeconds: number;
  /** Of one process: what it may write to, shared libraries aside. */
  readonly memoryBytes: number;
  /** Processes and threads together. */
  readonly processes: number;
  /** All files that it writes, together. They are in memory. */
  readonly diskBytes: number;
  /** Standard output and error together. */
  readonly outputBytes: number;
}

export interface SandboxedProgram {
  /** File names, without folders, and their texts; they stand in `/src`. */
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** Memory that the command's interpreter sets aside for itself, on top of the limit. */
  readonly reservedBytes: number;
  /** Paths of this machine that the program sees, read-only, beside `/usr` and what belongs to it. */
  readonly shown: readonly string[];
}

export type SandboxResult =
  | {
      readonly kind: 'ended';
      /** 128 and more: ended by the signal of that number less 128. */
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
    }
  | {
      readonly kind: 'stopped';
      readonly limit: 'wall clock' | 'output';
      readonly stdout: string;
      readonly stderr: string;
    }
  /** The program was not run: this machine cannot make the sandbox. */
  | { readonly kind: 'unavailable'; readonly message: string };

/** What programs need of a system, and nothing that is anybody's. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/ld.so.cache'];

const NAMESPACES = ['--net', '--pid', '--ipc', '--uts', '--mount', '--fork', '--kill-child'];

/** User ids that no account has; one of its own for each run, since processes are limited by user. */
const FIRST_USER = 2 ** 20;
const USERS = 2 ** 20;

/** Runs a program that may be hostile. Rejects with the signal's reason, and with errors of the file system. */
export async function runSandboxed(
  program: SandboxedProgram,
  limits: SandboxLimits,
  signal: AbortSignal,
): Promise<SandboxResult> {
  signal.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), 'agentforesight-sandbox-'));
  try {
    const [root, src] = [join(folder, 'root'), join(folder, 'src')];
    await mkdir(root);
    await mkdir(src);
    for (const [name, text] of Object.entries(program.files)) await writeFile(join(src, name), text);
    await chmod(src, 0o755);
    return await run([...entering(root, src, program, limits), ...program.command], limits, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function entering(
  root: string,
  src: string,
  { shown, reservedBytes }: SandboxedProgram,
  limits: SandboxLimits,
): readonly string[] {
  const { cpuSeconds, memoryBytes, processes, diskBytes } = limits;
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? String(FIRST_USER + randomInt(USERS)) : '0';
  const rlimits = [
    `--cpu=${cpuSeconds}`,
    `--data=${memoryBytes + reservedBytes}`,
    `--nproc=${processes}`,
    `--fsize=${diskBytes}`,
    '--nofile=256',
    '--core=0',
  ];
  return [
    // Should this process be killed, the program goes with it.
    ...['setpriv', '--pdeathsig', 'KILL'],
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    ...NAMESPACES,
    ...['sh', '-c', ENTER, 'sandbox', root, src, String(diskBytes)],
    ...[...SYSTEM, ...shown, '--', user, ...rlimits, '--'],
  ];
}

function run(command: readonly string[], limits: SandboxLimits, signal: AbortSignal): Promise<SandboxResult> {
  const { promise, resolve, reject } = Promise.withResolvers<SandboxResult>();
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
  });
  const [, stdout, stderr, ready] = child.stdio as readonly (Readable | null)[];
  const output = { stdout: '', stderr: '' };
  let bytes = 0;
  let isReady = false;
  let stopped: 'wall clock' | 'output' | undefined;

  // The group holds the first process of the namespace, with which all others in it die, whatever group they are in.
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  const stop = (limit: 'wall clock' | 'output') => {
    stopped ??= limit;
    kill();
  };
  const timer = setTimeout(() => stop('wall clock'), limits.wallMs);
  signal.addEventListener('abort', kill, { once: true });

  for (const name of ['stdout', 'stderr'] as const) {
    const stream = name === 'stdout' ? stdout : stderr;
    stream?.on('data', (chunk: Buffer) => {
      const room = limits.outputBytes - bytes;
      bytes += chunk.length;
      output[name] += chunk.subarray(0, Math.max(0, room)).toString('latin1');
      if (room < chunk.length) stop('output');
    });
  }
  ready?.on('data', () => {
    isReady = true;
  });
  const settle = (result: SandboxResult) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    if (signal.aborted) reject(signal.reason);
    else resolve(result);
  };
  child.on('error', ({ message }) => settle({ kind: 'unavailable', message }));
  child.on('close', (code) => {
    const texts = { stdout: decoded(output.stdout), stderr: decoded(output.stderr) };
    if (stopped) settle({ kind: 'stopped', limit: stopped, ...texts });
    else if (!isReady)
      settle({ kind: 'unavailable', message: texts.stderr.trim() || 'the sandbox did not start' });
    else settle({ kind: 'ended', exitCode: code ?? 128 + 9, ...texts });
  });
  return promise;
}

/** The bytes were kept as Latin-1 characters, since a chunk may end within one of UTF-8. */
function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
