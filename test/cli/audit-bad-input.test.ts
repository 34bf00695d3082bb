import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRuntime, jsonlRecorder } from '../../core/index.js';
import { runCli } from '../support/cli.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentforesight-bad-input-'));
const at = (name: string) => path.join(folder, name);
const put = (name: string, content: string | Buffer) => {
  writeFileSync(at(name), content);
  return at(name);
};

/** Lines of a sound log: run, task, two turns with a verdict each, close; then the same of a second run. */
let lines: string[];

beforeAll(async () => {
  const recorder = jsonlRecorder(at('sound.jsonl'));
  const runtime = createRuntime({ recorder });
  for (const runId of ['one', 'two']) {
    const session = runtime.openSession({ runId, task: `count to ${runId}` });
    for (const content of ['first', 'second'])
      await session.submit({ agent: 'counter', kind: 'agent', content });
    await session.close({ status: 'completed' });
  }
  await recorder.close();
  lines = readFileSync(at('sound.jsonl'), 'utf8').trimEnd().split('\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The sound log with one line replaced. @param number 1-based */
function logWith(number: number, line: string | Buffer, name: string): string {
  const parts = lines.map((sound, i) => (i === number - 1 ? Buffer.from(line) : Buffer.from(sound)));
  return put(name, Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')])));
}

describe('one clear line with file, line and field, exit code 2, and the file as it was', () => {
  test.each<[string, () => string, RegExp]>([
    ['a file that is not there', () => at('nowhere.jsonl'), /nowhere\.jsonl: does not exist/],
    ['an empty file', () => put('empty.jsonl', ''), /empty\.jsonl: is empty/],
    [
      'binary',
      () => put('binary.jsonl', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2])),
      /binary\.jsonl: is binary: .* byte 4/,
    ],
    [
      'a corrupt line',
      () => logWith(3, '{"type":"turn", broken', 'corrupt.jsonl'),
      /corrupt\.jsonl:3: not JSON/,
    ],
    [
      'a line of zero bytes',
      () => logWith(3, Buffer.alloc(64), 'zeros.jsonl'),
      /zeros\.jsonl:3: binary data at byte 0/,
    ],
    [
      'a field of the wrong type',
      () => logWith(3, (lines[2] as string).replace('"agent":"counter"', '"agent":7'), 'field.jsonl'),
      /field\.jsonl:3 \(turn\.agent\): .*expected string/,
    ],
    [
      'a record of a newer version',
      () => logWith(3, (lines[2] as string).replace('"v":1', '"v":9'), 'newer.jsonl'),
      /newer\.jsonl:3 \(v\): written by a newer agentforesight/,
    ],
    [
      'a record of a run that was never opened',
      () => logWith(3, (lines[2] as string).replace('"runId":"one"', '"runId":"ghost"'), 'ghost.jsonl'),
      /ghost\.jsonl:3 \(runId\): a turn of run ghost/,
    ],
    [
      'another schema',
      () => put('schema.json', '{"name":"x","steps":[]}'),
      /schema\.json: .*fields: name, steps/,
    ],
    [
      'a Who&When file with a bad turn',
      () => put('turn.json', '{"question":"q","history":[{"role":"a","content":5}]}'),
      /turn\.json \(history\[0\]\.content\)/,
    ],
    [
      'a Parquet file cut short',
      () => put('cut.parquet', Buffer.from('PAR1 and then nothing')),
      /cut\.parquet: .*cut short/,
    ],
  ])('%s', async (_what, make, message) => {
    const file = make();
    const before = file === at('nowhere.jsonl') ? undefined : readFileSync(file);
    const { code, stderr } = await runCli('audit', file);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
    if (before) expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('a 50 MB turn is named with its size and the remedy, which then works', async () => {
    const turn = JSON.parse(lines[2] as string) as { turn: { content: string } };
    turn.turn.content = 'y'.repeat(50 * 2 ** 20);
    const file = logWith(3, JSON.stringify(turn), 'huge.jsonl');
    const refused = await runCli('audit', file);
    expect(refused.stderr).toMatch(
      /huge\.jsonl:3 \(turn\.content\): 50\.0 MiB of text, over the limit of 32\.0 MiB/,
    );
    expect(refused.code).toBe(2);
    const read = await runCli('audit', '--max-turn-mb', '64', file);
    expect(read.stdout).toMatch(/2 runs in 1 file/);
    expect(read.code).toBe(0);
  });
});

test('--keep-going names the bad line, reads the rest, and still exits with 2', async () => {
  const file = logWith(3, 'garbage', 'mixed.jsonl');
  const { code, stdout, stderr } = await runCli('audit', '--keep-going', file);
  expect(stderr).toMatch(/mixed\.jsonl:3: not JSON/);
  expect(stdout).toMatch(/2 runs in 1 file, 5 turns/);
  expect(code).toBe(2);
});

test('a first line torn by a crash does not hide the log behind it', async () => {
  const torn = '{"v":1,"runId":"abc","type":"ru';
  const recovery = JSON.stringify({ type: 'recovery', v: 1, at: 0 });
  const file = put('torn-first.jsonl', `${[torn, recovery, ...lines].join('\n')}\n`);
  const { code, stdout, stderr } = await runCli('audit', file);
  expect(stderr).toMatch(/torn-first\.jsonl:1: a line torn by a crash was skipped/);
  expect(stdout).toMatch(/2 runs in 1 file/);
  expect(code).toBe(0);
});

test('--keep-going: a first line that is bad does not hide the runs behind it, and missing turns are told', async () => {
  const first = await runCli('audit', '--keep-going', put('bad-first.jsonl', `{}\n${lines.join('\n')}\n`));
  expect(first.stdout).toMatch(/2 runs in 1 file/);
  expect(first.stdout).toMatch(/1 bad line or file passed over/);
  const missing = await runCli(
    'audit',
    '--keep-going',
    '--run',
    'one',
    logWith(3, 'garbage', 'missing.jsonl'),
  );
  expect(missing.stdout).toMatch(/quirk {2}turns-missing/);
});

test('a last line torn by a crash is a warning, not an error', async () => {
  const file = put(
    'torn.jsonl',
    `${lines.slice(0, -1).join('\n')}\n${(lines.at(-1) as string).slice(0, 20)}`,
  );
  const { code, stdout, stderr } = await runCli('audit', file);
  expect(stderr).toMatch(/warning: .*torn\.jsonl:\d+: a line torn by a crash was skipped/);
  expect(stdout).toMatch(/2 runs in 1 file/);
  expect(code).toBe(0);
});

test.each([
  [['audit'], /missing required argument 'paths'/],
  [['audit', '--max-turn-mb', 'many', 'x'], /Give a number above 0/],
  [['adit'], /unknown command 'adit'/],
])('usage fault %j: exit code 2', async (args, message) => {
  const { code, stderr } = await runCli(...args);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});
