import { describe, expect, test } from 'vitest';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';
import { type AuditRequest, createRuntime, everyTurn, memoryRecorder } from '../../../core/index.js';
import { collect } from '../support/collect.js';
import { inputErrorOf } from '../support/input-error.js';
import { toParquet } from '../support/parquet.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const write = temporaryFolder();

const turns = [
  { role: 'user', thought: '', action: '', content: 'How much is 2 + 2?' },
  {
    role: 'Solver',
    thought: 'Compute.',
    action: '[{"name":"compute","arguments":"{\\"expression\\":\\"2+2\\"}","id":"call_0000"}]',
    content: '',
  },
  {
    role: 'environment',
    thought: '',
    action: '',
    content: '[{"name": "compute", "result": "4", "call_id": "call_0000"}]',
  },
  { role: 'Manager', thought: '', action: 'delegate(Solver, task="check")', content: '' },
  { role: 'Solver', thought: '', action: '', content: '4' },
];
const safeRow = {
  conv_id: 'math_0_safe',
  domain: 'math',
  task: 'How much is 2 + 2?',
  gold_answer: 'GOLD',
  num_turns: 5,
  tools: [
    { name: 'compute', description: 'Evaluates' },
    { name: 'verify', description: '' },
  ],
  turns,
};
const unsafeRow = {
  ...safeRow,
  conv_id: 'math_0_unsafe',
  mistake_step: 4,
  mistake_agent: 'Solver',
  mistake_reason: 'REASON',
  unsafe_source: 'diagnosed',
};

async function readRows(...rowGroups: Record<string, unknown>[][]) {
  return collect(readAfTraj(await write('rows.parquet', toParquet(rowGroups))));
}

async function errorOfRows(row: Record<string, unknown>) {
  return inputErrorOf(readRows([row]));
}

describe('readAfTraj', () => {
  test('maps every turn to one turn at its own position', async () => {
    const [run] = await readRows([safeRow]);
    expect(run?.turns).toEqual([
      { agent: 'user', kind: 'user', content: 'How much is 2 + 2?' },
      {
        agent: 'Solver',
        kind: 'agent',
        thought: 'Compute.',
        content: '',
        toolCalls: [{ id: 'call_0000', name: 'compute', args: { expression: '2+2' } }],
      },
      { agent: 'environment', kind: 'tool', content: turns[2]?.content },
      {
        agent: 'Manager',
        kind: 'agent',
        content: '',
        toolCalls: [{ id: '', name: 'action', args: 'delegate(Solver, task="check")' }],
        action: 'delegate(Solver, task="check")',
      },
      { agent: 'Solver', kind: 'agent', content: '4' },
    ]);
  });

  test('keeps id, domain, task and tools, and says which row it was', async () => {
    const [first, second] = await readRows([safeRow], [{ ...safeRow, conv_id: 'math_1_safe' }]);
    expect(first).toMatchObject({
      runId: 'math_0_safe',
      domain: 'math',
      task: safeRow.task,
      label: { kind: 'safe' },
    });
    expect(first?.tools).toEqual([{ name: 'compute', description: 'Evaluates' }, { name: 'verify' }]);
    expect(second?.runId).toBe('math_1_safe');
    expect(second?.source).toMatch(/rows\.parquet \(row 1\)$/);
  });

  test('calls a diagnosed failure natural', async () => {
    const [diagnosed, injected] = await readRows([unsafeRow, { ...unsafeRow, unsafe_source: 'injected' }]);
    expect(diagnosed?.label).toEqual({
      kind: 'unsafe',
      step: 4,
      agent: 'Solver',
      reason: 'REASON',
      source: 'natural',
    });
    expect(injected?.label).toMatchObject({ source: 'injected' });
  });

  test('the gold answer and the reason stand in fields of their own, never in task or turns', async () => {
    const [run] = await readRows([unsafeRow]);
    expect(run?.reference).toBe('GOLD');
    expect(JSON.stringify({ ...run, label: undefined, reference: undefined })).not.toMatch(/GOLD|REASON/);
  });

  test('a row without a gold answer has no reference', async () => {
    const { gold_answer: _gold, ...others } = safeRow;
    const [empty] = await readRows([{ ...safeRow, gold_answer: '' }]);
    const [absent] = await readRows([others]);
    expect([empty, absent].map((run) => 'reference' in (run as object))).toEqual([false, false]);
  });

  test('no auditor and no log is shown an action as it was written, nor the gold answer', async () => {
    const [run] = await readRows([{ ...safeRow, turns: [turns[0], { ...turns[3], action: ' RAW ' }] }]);
    expect(run?.turns[1]?.action).toBe(' RAW ');
    const recorder = memoryRecorder();
    const seen: unknown[] = [];
    const auditor = {
      audit: async (request: AuditRequest) => {
        seen.push({ ...request, prefix: [...request.prefix] });
        return { kind: 'continue' as const };
      },
    };
    const { runId, task, tools, turns: told } = run as RecordedRun;
    const session = createRuntime({ auditor, recorder, schedule: everyTurn() }).openSession({
      runId,
      task,
      tools,
    });
    for (const turn of told) await session.submit(turn);
    await session.close({ status: 'completed' });
    expect(seen).toHaveLength(2);
    for (const shown of [seen, recorder.records]) {
      expect(JSON.stringify(shown)).toContain('"args":" RAW "');
      expect(JSON.stringify(shown)).not.toMatch(/"action":" RAW|GOLD/);
    }
  });

  test.each([
    ['conv_id', ''],
    ['turns', []],
    ['turns', [{ ...turns[0], role: '' }]],
    ['mistake_step', -1],
    ['unsafe_source', 'guessed'],
  ])('names a bad %s by its row', async (column, value) => {
    const error = await errorOfRows({ ...unsafeRow, [column]: value });
    expect(error.location.field).toMatch(new RegExp(`^rows\\[0\\]\\.${column}`));
  });

  test('refuses half a label and a step outside of the run', async () => {
    expect((await errorOfRows({ ...unsafeRow, mistake_agent: null })).location.field).toBe(
      'rows[0].mistake_agent',
    );
    const outside = await errorOfRows({ ...unsafeRow, mistake_step: 5 });
    expect(outside.message).toContain('step 5 of a run whose last step is 4');
  });

  test('names the missing columns', async () => {
    const { turns: _turns, task: _task, ...others } = safeRow;
    const error = await errorOfRows(others);
    expect(error.location.field).toBe('task');
    expect(error.message).toContain('lacks the columns task, turns (has: conv_id');
  });

  test('takes no file with part of the label columns for one of safe runs', async () => {
    const { mistake_step: _step, ...others } = unsafeRow;
    expect((await errorOfRows(others)).message).toContain('lacks the column mistake_step');
  });

  test('refuses a turn above the limit, and names the field and both sizes', async () => {
    const path = await write('big.parquet', toParquet([[safeRow]]));
    const error = await inputErrorOf(collect(readAfTraj(path, { maxTurnBytes: 70 })));
    expect(error.location.field).toBe('rows[0].turns[1].action');
    expect(error.message).toMatch(/\b8\d bytes, more than the 70 allowed.*--max-turn-mb/);
  });

  test('refuses a file cut short at any place', async () => {
    const whole = toParquet([[safeRow], [safeRow]]);
    for (let length = 0; length < whole.length; length += 7) {
      const path = await write('cut.parquet', whole.subarray(0, length));
      await inputErrorOf(collect(readAfTraj(path)));
    }
  });

  test('refuses a file that holds fewer rows than it declares', async () => {
    const path = await write('fewer.parquet', toParquet([[safeRow]], 2));
    expect((await inputErrorOf(collect(readAfTraj(path)))).message).toContain('1 rows of 2');
  });

  test('refuses bytes that are no UTF-8 where the Parquet reader would put a replacement', async () => {
    const error = await errorOfRows({ ...safeRow, task: Buffer.from([0x61, 0xff]) });
    expect(error.message).toContain('rows 0 to 0 cannot be read');
  });
});
