import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { SandboxLimits } from './sandbox.js';

export type Language = 'python' | 'javascript';

export interface Interpreter {
  /** The file that holds the program. */
  readonly file: string;
  readonly command: (limits: SandboxLimits) => readonly string[];
  /** What the interpreter sets aside for itself, on top of what the program may have. */
  readonly reservedBytes: number;
  /** Paths that it needs to be shown. */
  readonly shown: readonly string[];
}

/** V8 maps room for machine code that it never fills; below some 560 MiB it does not start. */
const V8_RESERVES = 640 * 2 ** 20;

const run = promisify(execFile);

/** The Python on the path, or this Node. Rejects where there is none. */
export async function interpreterOf(language: Language): Promise<Interpreter> {
  return language === 'python' ? python() : node();
}

async function python(): Promise<Interpreter> {
  const print = 'import sys; print(sys.executable); print(sys.base_prefix)';
  const { stdout } = await run('python3', ['-I', '-c', print]);
  const [executable = '', prefix = ''] = stdout.trimEnd().split('\n');
  const path = await realpath(executable);
  return {
    file: 'main.py',
    command: () => [path, '-I', '-B', '/src/main.py'],
    reservedBytes: 0,
    shown: [prefix, path].filter(isElsewhere),
  };
}

async function node(): Promise<Interpreter> {
  const path = await realpath(process.execPath);
  return {
    file: 'main.js',
    command: ({ memoryBytes }) => [
      path,
      `--max-old-space-size=${Math.ceil(memoryBytes / 2 ** 20)}`,
      '/src/main.js',
    ],
    reservedBytes: V8_RESERVES,
    shown: [path].filter(isElsewhere),
  };
}

/** What is in `/usr` is shown anyway. */
function isElsewhere(path: string): boolean {
  return path !== '' && path !== '/' && !path.startsWith('/usr');
}
