import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CodeScorerOptions, codeScorer } from '../../../collectors/scorers/code-scorer.js';
import { SetupError } from '../../../core/index.js';
import { sampleOf } from '../stages/samples.js';

const never = new AbortController().signal;
const MiB = 2 ** 20;

/** What comes of some code whose tests ask for nothing. */
async function run(code: string, options: Partial<CodeScorerOptions> = {}, signal = never) {
  const scorer = codeScorer({ tests: () => '', code: () => code, ...options });
  const score = await scorer.score(sampleOf({ domain: 'coding' }), signal);
  if (!score || score.failure) throw new Error(`not run: ${score?.failure?.message}`);
  return score;
}
const inNode = { language: 'javascript' } as const;

// The sandbox is made of what Linux has; elsewhere nothing is run, and that is tested everywhere.
const onLinux = describe.skipIf(process.platform !== 'linux');

onLinux('tests', () => {
  const add =
    'def add(a, b):\n    return a + b\n\nif __name__ == "__main__":\n    print(add(1, int(input())))\n';

  test.each([
    ['pass', add, 'assert add(1, 2) == 3', 1, 'the tests pass'],
    ['fail', add, 'assert add(1, 2) == 4, "one and two"', 0, 'the tests fail: AssertionError: one and two'],
    ['meet code that is none', 'def add(:', '', 0, 'the tests fail: SyntaxError: invalid syntax'],
    [
      'are cut off by a well-mannered exit',
      'import sys; sys.exit(0)',
      'assert False',
      0,
      'it ended before its tests did',
    ],
    [
      'are cut off by a hard one',
      'import os; os._exit(0)',
      'assert False',
      0,
      'it ended before its tests did',
    ],
  ])('in Python that %s', async (_, code, tests, value, reason) => {
    expect(await run(code, { tests: () => tests })).toMatchObject({ value, reason });
  });

  const double = 'const double = (x) => 2 * x;';
  test.each([
    ['pass', double, "require('node:assert').equal(double(2), 4)", 1, 'the tests pass'],
    [
      'pass as a module',
      double,
      "import assert from 'node:assert'; assert.equal(await double(2), 4)",
      1,
      'the tests pass',
    ],
    ['fail', double, 'if (double(2) !== 5) throw new Error()', 0, 'the tests fail: Node.js v'],
    [
      'fail later on',
      double,
      "setTimeout(() => { throw new Error('late') }, 10)",
      0,
      'the tests fail: Node.js v',
    ],
    ['are cut off', 'process.exit(0)', '', 0, 'it ended before its tests did'],
  ])('in JavaScript that %s', async (_, code, tests, value, reason) => {
    const score = await run(code, { ...inNode, tests: () => tests });
    expect(score).toMatchObject({ value, reason: expect.stringContaining(reason) });
  });

  test('run on what the run itself has written last', async () => {
    const turns = [
      { agent: 'user', kind: 'user' as const, content: 'Write f.' },
      { agent: 'A', kind: 'agent' as const, content: '```python\ndef f(): return 1\n```' },
      { agent: 'A', kind: 'agent' as const, content: 'Better:\n```python\ndef f(): return 2\n```\nDone.' },
      { agent: 'B', kind: 'agent' as const, content: 'Verified.' },
    ];
    const scorer = codeScorer({ tests: () => 'assert f() == 2' });
    expect(await scorer.score(sampleOf({ domain: 'coding', turns }), never)).toMatchObject({ value: 1 });
    const submits = [{ id: '', name: 'run_tests', args: { solution_code: 'def f(): return 2' } }];
    const called = [
      ...turns.slice(0, 1),
      { agent: 'A', kind: 'agent' as const, content: '', toolCalls: submits },
    ];
    expect(await scorer.score(sampleOf({ domain: 'coding', turns: called }), never)).toMatchObject({
      value: 1,
    });
    expect(await scorer.score(sampleOf({ domain: 'coding' }), never)).toMatchObject({
      reason: 'the run gives no code',
    });
    expect(await scorer.score(sampleOf({ domain: 'math' }), never)).toBeUndefined();
  });
});

onLinux('limits', () => {
  test('an endless loop ends', async () => {
    const limits = { wallMs: 20_000, cpuSeconds: 1 };
    expect((await run('while True: pass', { limits })).reason).toBe('ended by signal 9, as at a limit');
  });

  test('so does endless sleep, and whatever it has started goes with it', async () => {
    const started = performance.now();
    const seconds = 400_000 + process.pid;
    const code = `
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp('sleep', ['sleep', '${seconds}'])
time.sleep(3600)`;
    expect((await run(code, { limits: { wallMs: 700 } })).reason).toBe('stopped at its limit of wall clock');
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await commandLines()).not.toContain(`sleep\0${seconds}`);
  });

  test('it goes with the process that has started it, should that be killed', async () => {
    const seconds = 500_000 + process.pid;
    const source = `
      import { codeScorer } from ${JSON.stringify(new URL('../../../collectors/scorers/code-scorer.ts', import.meta.url).href)};
      const code = "import os; os.execvp('sleep', ['sleep', '${seconds}'])";
      const scorer = codeScorer({ tests: () => '', code: () => code, limits: { wallMs: 60_000 } });
      await scorer.score({ domain: 'coding', turns: [] }, new AbortController().signal);`;
    const workshop = await mkdtemp(join(tmpdir(), 'agentforesight-'));
    onTestFinished(() => rm(workshop, { recursive: true }));
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: workshop },
    });
    const isRunning = async () => (await commandLines()).includes(`sleep\u0000${seconds}`);
    await vi.waitFor(async () => expect(await isRunning()).toBe(true), { timeout: 15_000, interval: 50 });
    child.kill('SIGKILL');
    await vi.waitFor(async () => expect(await isRunning()).toBe(false), { timeout: 5_000, interval: 50 });
  });

  test('a fork bomb finds no more processes', async () => {
    const code = `
import os, time
born = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
        born += 1
except BlockingIOError:
    pass
assert 5 < born < 20, born`;
    expect(await run(code, { limits: { processes: 20 } })).toMatchObject({ value: 1 });
    const bomb = 'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass';
    expect((await run(bomb, { limits: { wallMs: 1_500 } })).value).toBe(0);
  });

  test('memory runs out for it alone', async () => {
    const python = 'hog = []\nwhile True: hog.append(bytearray(10_000_000))';
    expect((await run(python, { limits: { memoryBytes: 128 * MiB } })).reason).toBe(
      'the tests fail: MemoryError',
    );
    const node = 'const hog = []; for (;;) hog.push(Buffer.alloc(1e7, 1));';
    expect((await run(node, { ...inNode, limits: { memoryBytes: 128 * MiB } })).value).toBe(0);
  });

  test('so does its disk', async () => {
    const code = `
import errno
try:
    for name in range(100):
        with open(f'/tmp/{name}', 'wb') as file:
            file.write(b'x' * 1_000_000)
except OSError as error:
    assert error.errno == errno.ENOSPC, error
    assert 2 < name < 10, name
else:
    assert False`;
    expect(await run(code, { limits: { diskBytes: 8 * MiB } })).toMatchObject({ value: 1 });
  });

  test('output is cut', async () => {
    const code = 'import sys\nwhile True: sys.stdout.write("x" * 65536)';
    const score = await run(code, { limits: { outputBytes: 10_000 } });
    expect(score.reason).toBe('stopped at its limit of output');
    expect(JSON.stringify(score.evidence).length).toBeLessThan(3_000);
  });

  test('whoever calls it off waits no longer', async () => {
    const caller = new AbortController();
    const asked = run('while True: pass', {}, caller.signal);
    setTimeout(() => caller.abort(new Error('enough')), 300);
    await expect(asked).rejects.toThrow('enough');
  });
});

onLinux('walls', () => {
  test('it sees no files but the system’s, and writes none that outlive it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agentforesight-'));
    const secret = join(folder, 'secret');
    await writeFile(secret, 'secret', { mode: 0o666 });
    const trace = join(tmpdir(), `agentforesight-trace-${process.pid}`);
    const code = `
import os
assert not os.path.exists(${JSON.stringify(secret)}), 'seen'
for path in ['/usr/trace', '/src/trace', '/etc/trace', '/bin/trace', '/usr/bin/env']:
    try:
        open(path, 'w')
    except OSError:
        continue
    assert path == '/etc/trace', path
open(${JSON.stringify(trace)}, 'w').write('x')
assert 'AGENTFORESIGHT_SECRET' not in os.environ
assert not os.path.exists('/etc/passwd')
assert not os.path.exists('/home')`;
    const workshop = await mkdtemp(join(tmpdir(), 'agentforesight-'));
    vi.stubEnv('AGENTFORESIGHT_SECRET', 'secret').stubEnv('TMPDIR', workshop);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await run(code)).toMatchObject({ value: 1 });
    expect(['/etc/trace', '/usr/trace', trace].filter(existsSync)).toEqual([]);
    expect(await readdir(workshop)).toEqual([]);
  });

  test('it reaches no network, not even this machine', async () => {
    const requests: string[] = [];
    const server = http.createServer(({ url = '' }, response) => {
      requests.push(url);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const code = `
import socket
for address in [('127.0.0.1', ${port}), ('192.0.2.1', 80)]:
    try:
        socket.create_connection(address, 1).send(b'GET /python HTTP/1.0\\r\\n\\r\\n')
    except OSError:
        continue
    assert False, address`;
    expect(await run(code)).toMatchObject({ value: 1 });
    const fetches = `await fetch('http://127.0.0.1:${port}/node').then(() => process.exit(3), () => {});`;
    expect(await run(`import 'node:fs';${fetches}`, inNode)).toMatchObject({ value: 1 });
    expect(requests).toEqual([]);
    await fetch(`http://127.0.0.1:${port}/here`);
    expect(requests).toEqual(['/here']);
  });

  test('it sees no other process, and has no power to mount or to become another', async () => {
    const code = `
import os
pids = [int(name) for name in os.listdir('/proc') if name.isdigit()]
assert 0 < len(pids) < 8 and ${process.pid} not in pids, pids
status = open('/proc/self/status').read()
assert 'CapEff:\\t0000000000000000' in status and 'CapBnd:\\t0000000000000000' in status
assert 'NoNewPrivs:\\t1' in status
assert os.system('mount -t tmpfs x /tmp 2>/dev/null') != 0
assert os.system('mount -o remount,rw,bind /usr 2>/dev/null') != 0`;
    expect(await run(code)).toMatchObject({ value: 1 });
  });
});

describe('where it cannot be run', () => {
  test('without a sandbox nothing is run, and the sample waits', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const scorer = codeScorer({ ...inNode, tests: () => '', code: () => '' });
    vi.stubEnv('PATH', '/nowhere');
    const score = await scorer.score(sampleOf({ domain: 'coding' }), never);
    expect(score?.failure).toMatchObject({ kind: 'error', message: expect.stringContaining('no sandbox') });
  });

  test('a function of yours that throws is a failure', async () => {
    const tests = () => {
      throw new Error('no such task');
    };
    const score = await codeScorer({ tests }).score(sampleOf({ domain: 'coding' }), never);
    expect(score).toEqual({ failure: { kind: 'error', message: 'no such task' } });
  });

  test.each([{ tests: 'x' }, { language: 'perl' }, { limits: { wallMs: 0 } }, { limits: { time: 3 } }])(
    'refuses %o',
    (options) => {
      expect(() => codeScorer({ tests: () => '', ...(options as object) })).toThrow(SetupError);
    },
  );
});

/** Of all processes of this machine, arguments parted by NUL. */
async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.join('\n');
}
