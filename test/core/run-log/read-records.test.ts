import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../core/errors.js';
import { type ReadOptions, readRecords } from '../../../core/run-log/read-records.js';
import {
  closeRecord,
  failureRecord,
  recoveryRecord,
  runRecord,
  turnRecord,
  verdictRecord,
} from '../../support/records.js';
import { logFile, temporaryFolder } from '../../support/temporary-folder.js';

const read = (file: string, options?: ReadOptions) => Array.fromAsync(readRecords(file, options));

async function refusal(file: string, options?: ReadOptions): Promise<InputError> {
  const error = await read(file, options).catch((cause: unknown) => cause);
  if (error instanceof InputError) return error;
  throw new Error(`expected an InputError, got ${String(error)}`);
}

/** Reads past bad lines, and tells of each. */
async function keepGoing(file: string, options: ReadOptions = {}) {
  const bad: string[] = [];
  const warnings: string[] = [];
  const numbered = await read(file, {
    ...options,
    onBadLine: ({ location }) => bad.push(`${location.line}`),
    onWarning: (warning) => warnings.push(warning.slice(file.length + 1)),
  });
  return { lines: numbered.map(({ line }) => line), bad, warnings };
}

const torn = JSON.stringify(turnRecord('run', 'torn')).slice(0, 60);

describe('a log', () => {
  it('reads back record by record, with line numbers, past blank lines', async () => {
    const records = [
      runRecord('run', { tools: [{ name: 'add', description: 'adds' }], continues: 'earlier' }),
      turnRecord('run', 'x', {
        toolCalls: [{ id: '1', name: 'add', args: { a: [1, null] } }],
        usage: { inputTokens: 1 },
      }),
      verdictRecord('run', 'x'),
      failureRecord('run', 'x'),
      closeRecord('run', 'failed'),
    ];
    const [first, ...others] = records;
    const numbered = await read(logFile(first ?? {}, '', ...others));
    expect(numbered.map(({ record }) => record)).toEqual(records);
    expect(numbered.map(({ line }) => line)).toEqual([1, 3, 4, 5, 6]);
  });

  it('reads back when its lines span many chunks', async () => {
    const content = 'naïve 日本 '.repeat(50_000);
    const records = Array.from({ length: 5 }, (_, at) => turnRecord('run', `${at}`, { content }));
    expect((await read(logFile(...records))).map(({ record }) => record)).toEqual(records);
  });
});

describe('a line torn by a crash is skipped with a warning', () => {
  const warning = 'a line torn by a crash was skipped; it was never acknowledged';

  it('at the end', async () => {
    const file = logFile(runRecord('run'));
    fs.appendFileSync(file, torn);
    expect(await keepGoing(file)).toEqual({ lines: [1], bad: [], warnings: [`2: ${warning}`] });
  });

  it('at the end, full of zeros as a power cut leaves it', async () => {
    const file = logFile(runRecord('run'));
    fs.appendFileSync(file, Buffer.alloc(100));
    expect(await keepGoing(file)).toEqual({ lines: [1], bad: [], warnings: [`2: ${warning}`] });
  });

  it('before the mark of the process that came after', async () => {
    const file = logFile(runRecord('run'), torn, recoveryRecord, closeRecord('run'));
    expect(await keepGoing(file)).toEqual({ lines: [1, 4], bad: [], warnings: [`2: ${warning}`] });
  });

  it('before a mark that was torn by a second crash', async () => {
    const file = logFile(runRecord('run'), torn, '{"type":"recov', recoveryRecord, closeRecord('run'));
    const skipped = [`2: ${warning}`, `3: ${warning}`];
    expect(await keepGoing(file)).toEqual({ lines: [1, 5], bad: [], warnings: skipped });
  });

  it('together with its own torn mark at the end', async () => {
    const file = logFile(runRecord('run'), torn);
    fs.appendFileSync(file, '{"type');
    expect(await keepGoing(file)).toEqual({
      lines: [1],
      bad: [],
      warnings: [`2: ${warning}`, `3: ${warning}`],
    });
  });

  it('but a bad line in the middle is an error, though a torn one follows', async () => {
    const file = logFile(runRecord('run'), torn, torn, recoveryRecord, closeRecord('run'));
    expect(await keepGoing(file)).toEqual({ lines: [1, 5], bad: ['2'], warnings: [`3: ${warning}`] });
  });
});

describe('a bad line', () => {
  const cases: [string, string | object, string][] = [
    ['no JSON', '{"v":1,', ':2: not JSON ('],
    ['no record', '42', ':2 (record): Invalid input: expected object'],
    ['another type', { ...runRecord('run'), type: 'walk' }, ':2 (type): Invalid'],
    [
      'a missing field',
      { ...runRecord('run'), task: undefined },
      ':2 (task): Invalid input: expected string',
    ],
    ['a wrong field', turnRecord('run', 'x', { agent: '' }), ':2 (turn.agent): Too small'],
    [
      'a newer format',
      { ...runRecord('run'), v: 2 },
      ':2 (v): written by a newer agentforesight (format 2). Update',
    ],
    ['binary', 'a\u0000b', ':2: binary data at byte 1 of the line'],
  ];

  it.each(cases)('%s is refused by file, line and field, with a remedy', async (_, line, message) => {
    const file = logFile(runRecord('run'), line, closeRecord('run'));
    const error = await refusal(file);
    expect(error.message.slice(0, file.length)).toBe(file);
    expect(error.message.slice(file.length)).toContain(message);
    expect(error.message).toMatch(/\. \S.*\.$/);
    expect(error.location).toMatchObject({ file, line: 2 });
    expect(await keepGoing(file)).toEqual({ lines: [1, 3], bad: ['2'], warnings: [] });
  });

  it('that is no UTF-8 is refused', async () => {
    const file = logFile(runRecord('run'));
    fs.appendFileSync(file, Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    expect((await refusal(file)).message).toContain(`${file}:2: not UTF-8 text. `);
  });

  it('that is the last but not torn is refused', async () => {
    expect((await refusal(logFile(runRecord('run'), torn))).location.line).toBe(2);
  });

  it('that is the only one is refused, even without its line end', async () => {
    const file = logFile();
    fs.writeFileSync(file, 'Dear diary');
    expect((await refusal(file)).message).toContain(':1: not JSON');
  });

  it('hands over what stood before it', async () => {
    const file = logFile(runRecord('run'), 'oops', closeRecord('run'));
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const { line } of readRecords(file)) seen.push(line);
      })(),
    ).rejects.toThrow(InputError);
    expect(seen).toEqual([1]);
  });
});

describe('a turn above the limit', () => {
  const maxTurnBytes = 1_000;

  it.each([
    ['content', { content: 'é'.repeat(501) }],
    ['thought', { thought: 'x'.repeat(1_001) }],
    [
      'toolCalls[1].args',
      { toolCalls: ['', 'x'.repeat(1_000)].map((args) => ({ id: '', name: 'a', args })) },
    ],
  ])('is refused: %s', async (field, more) => {
    const file = logFile(runRecord('run'), turnRecord('run', 'x', more), closeRecord('run'));
    const { message, location } = await refusal(file, { maxTurnBytes });
    expect(location).toEqual({ file, line: 2, field: `turn.${field}` });
    expect(message).toContain(
      '0.0 MiB of text, over the limit of 0.0 MiB for one turn. Raise the limit with --max-turn-mb.',
    );
    expect(await keepGoing(file, { maxTurnBytes })).toMatchObject({ lines: [1, 3], bad: ['2'] });
  });

  it('is read at the limit', async () => {
    const file = logFile(turnRecord('run', 'x', { content: 'é'.repeat(500) }));
    expect(await read(file, { maxTurnBytes })).toHaveLength(1);
  });

  it('is passed over without being held in memory when it is far above', async () => {
    const huge = turnRecord('run', 'x', { content: 'x'.repeat(600_000) });
    const file = logFile(runRecord('run'), huge, closeRecord('run'));
    expect((await refusal(file, { maxTurnBytes })).message).toContain(':2: far longer than the longest turn');
    expect(await keepGoing(file, { maxTurnBytes })).toEqual({ lines: [1, 3], bad: ['2'], warnings: [] });
  });
});

describe('a file that is no log', () => {
  it('empty', async () => {
    const file = logFile();
    expect((await refusal(file)).message).toBe(
      `${file}: the file is empty. Pass a run log that holds at least one run.`,
    );
    expect((await refusal(logFile('', ''))).message).toContain('the file is empty');
  });

  it('missing, or a folder', async () => {
    const missing = path.join(temporaryFolder(), 'missing.jsonl');
    expect((await refusal(missing)).message).toMatch(`${missing}: cannot be read: ENOENT`);
    expect((await refusal(path.dirname(missing))).message).toContain('cannot be read: EISDIR');
  });
});
