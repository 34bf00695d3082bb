import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { timeless, whoAndWhenFolder } from '../../bench/support/walked-runs.js';
import { runCli, startCli } from '../../support/cli.js';
import { after, alarmReply, fails, replies, usage } from '../../support/model-server/behaviours.js';
import { modelServer, type SeenChat } from '../../support/model-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const RUNS = 24;

/** Alarms where it reads the marked turn, after a moment that differs from request to request. */
function judging({ body }: SeenChat, count: number) {
  const isWrong = body.messages[1]?.content.includes('WRONG') ?? false;
  const reply = replies({ usage: usage(100, 60, 10), ...(isWrong && { text: alarmReply(2, 'Solver') }) });
  return after(5 + ((count * 7) % 20), reply);
}

function configFile(folder: string, baseURL: string): string {
  const file = path.join(folder, 'auditor.json');
  fs.writeFileSync(file, JSON.stringify({ kind: 'chat', baseURL, model: 'tiny', retries: 0 }));
  return file;
}

async function setUp(behave: Parameters<typeof modelServer>[0] = judging) {
  const folder = temporaryFolder();
  const server = await modelServer(behave);
  const config = configFile(folder, server.baseURL);
  const data = whoAndWhenFolder(folder, RUNS);
  const file = (name: string) => path.join(folder, name);
  const command = (out: string, ...more: string[]) => [
    ...['bench', 'walk', data, '--auditor', config, '--out', out],
    ...more,
  ];
  return { server, file, command };
}

const linesIn = (file: string) =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').length - 1 : 0;

/** Resolves when so many lines are there. */
async function grown(file: string, lines: number): Promise<void> {
  while (linesIn(file) < lines) await new Promise((resolve) => setTimeout(resolve, 2));
}

it('a walk says what was walked, what failed, and what it took', async () => {
  const { server, file, command } = await setUp();
  const { code, stdout } = await runCli(...command(file('p.jsonl'), '--json', '--concurrency', '8'));
  expect(code).toBe(0);
  const summary = JSON.parse(stdout);
  // Twelve runs of four prefixes each, and twelve that end with their third.
  expect(summary).toMatchObject({
    auditor: 'chat tiny',
    protocol: 'strict',
    runs: RUNS,
    resumed: 0,
    alarms: RUNS / 2,
    audits: 84,
    failures: {},
    requests: 84,
    tokens: { input: 8_400, cachedInput: 5_040, output: 840 },
  });
  expect(summary.latencyMs.median).toBeGreaterThanOrEqual(5);
  expect(summary.requestsPerSecond).toBeGreaterThan(0);
  expect(server.requests).toHaveLength(84);
  const text = await runCli(...command(file('p.jsonl')));
  expect(text.stdout).toMatch(/^walked\s+24 runs, strict, by chat tiny; 24 of them stood in the file$/m);
  expect(server.requests).toHaveLength(84);
  expect(fs.readFileSync(file('p.jsonl'), 'utf8')).not.toContain('Pump A is dearer');
});

it('a walk that is killed and taken up leaves what an undisturbed one leaves, and asks nothing twice that it had written', async () => {
  const { server, file, command } = await setUp();
  await runCli(...command(file('whole.jsonl'), '--concurrency', '1'));
  const out = file('killed.jsonl');
  for (const lines of [4, 11]) {
    const child = startCli(command(out, '--concurrency', '3'));
    const ended = new Promise((resolve) => child.once('close', (_, name) => resolve(name)));
    await grown(out, lines);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    expect(linesIn(out)).toBeLessThan(RUNS + 1);
  }
  const written = linesIn(out) - 1;
  const asked = server.requests.length;
  const { code, stdout } = await runCli(...command(out, '--concurrency', '3', '--json'));
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ runs: RUNS, resumed: written, audits: 84 });
  expect(timeless(out)).toEqual(timeless(file('whole.jsonl')));
  // Odd runs are asked about three times, even ones four.
  const left = timeless(out)
    .slice(1 + written)
    .map((line) => JSON.parse(line).audits.length);
  expect(server.requests.length - asked).toBe(left.reduce((sum, audits) => sum + audits, 0));
}, 60_000);

it('Ctrl-C leaves a file that the same command takes up', async () => {
  const { file, command } = await setUp();
  const out = file('p.jsonl');
  const child = startCli(command(out, '--concurrency', '2'));
  const stderr = Array.fromAsync(child.stderr, String);
  const ended = new Promise((resolve) => child.once('close', resolve));
  await grown(out, 3);
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect((await stderr).join('')).toMatch(/stopped; the same command goes on where/);
  expect(linesIn(out)).toBeLessThan(RUNS + 1);
  const { code, stdout } = await runCli(...command(out, '--json'));
  expect(code).toBe(0);
  expect(JSON.parse(stdout).runs).toBe(RUNS);
});

it('a key that is refused ends the walk with one line', async () => {
  const { server, file, command } = await setUp(() => fails(401, 'bad key'));
  const { code, stderr, stdout } = await runCli(...command(file('p.jsonl'), '--concurrency', '1'));
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/refuses the key.*401 bad key/)]);
  expect(server.requests).toHaveLength(1);
});

it('failed audits are counted by kind, and asked for again with --retry-failed', async () => {
  let isAway = true;
  const { file, command } = await setUp((seen, count) =>
    isAway && seen.body.messages[1]?.content.includes('(3)') ? fails(400, 'too long') : judging(seen, count),
  );
  const out = file('p.jsonl');
  const first = await runCli(...command(out, '--json'));
  // All prefixes of one run fail, and so none alarms.
  expect(JSON.parse(first.stdout)).toMatchObject({ failures: { refused: 4 }, failedRuns: 1, alarms: 11 });
  expect(first.stderr).toMatch(/4 audits failed, in 1 run; --retry-failed asks again/);
  expect(first.code).toBe(0);
  isAway = false;
  const again = JSON.parse((await runCli(...command(out, '--json', '--retry-failed'))).stdout);
  expect(again).toMatchObject({ failures: {}, alarms: 12, resumed: RUNS - 1 });
});

it('a walk without a verdict is no success', async () => {
  const { file, command } = await setUp(() => fails(400, 'no such model'));
  const { code } = await runCli(...command(file('p.jsonl'), '--limit', '2'));
  expect(code).toBe(3);
});

it('bad usage is told in one line, and nothing is asked or written', async () => {
  const { server, file, command } = await setUp();
  const out = file('p.jsonl');
  const cases: [string[], RegExp][] = [
    [command(out, '--protocol', 'lax'), /Allowed choices are strict, official, post-hoc/],
    [command(out, '--baseline', 'oracle'), /there is no baseline "oracle"/],
    [command(path.join(file('data'), '1.json')), /is read here, and --out would write into it/],
    [command(out, '--split', 'test'), /none of the 24 labelled runs is known to be of the test split/],
    [
      ['bench', 'walk', file('data'), '--baseline', 'zero-shot', '--out', out],
      /Give the baseline's configuration as --auditor/,
    ],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runCli(...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  }
  expect(server.requests).toEqual([]);
  expect(fs.existsSync(out)).toBe(false);
}, 60_000);

it('the signals walk without a server, and a baseline with one', async () => {
  const { server, file, command } = await setUp();
  const data = file('data');
  const signals = await runCli('bench', 'walk', data, '--out', file('s.jsonl'), '--json', '--limit', '3');
  expect(JSON.parse(signals.stdout)).toMatchObject({ runs: 3, requests: 0, latencyMs: expect.any(Object) });
  expect(server.requests).toEqual([]);
  const config = file('zero-shot.json');
  fs.writeFileSync(config, JSON.stringify({ baseURL: server.baseURL, model: 'tiny' }));
  const args = [...command(file('z.jsonl'), '--baseline', 'zero-shot', '--limit', '2', '--json')];
  args[args.indexOf('--auditor') + 1] = config;
  const { stdout, stderr } = await runCli(...args);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ runs: 2, alarms: 1, auditor: 'zero-shot tiny' });
  const [header] = fs.readFileSync(file('z.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(header as string)).toMatchObject({ model: 'tiny', datasets: ['who-and-when-ag'] });
});
