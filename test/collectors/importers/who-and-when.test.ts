import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWhoAndWhen, readWhoAndWhenFolder } from '../../../collectors/importers/who-and-when.js';
import { InputError } from '../../../core/index.js';
import { collect } from '../support/collect.js';
import { inputErrorOf } from '../support/input-error.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const write = temporaryFolder();

const algorithmGenerated = {
  is_correct: false,
  question: 'Where?',
  question_ID: 'q',
  level: '1',
  ground_truth: 'GOLD',
  history: [
    { content: 'Task: Where?', role: 'user', name: 'Geography_Expert' },
    { content: '<think>Run it.</think>\n```python```', role: 'assistant', name: 'Geography_Expert' },
    { content: 'exitcode: 0', role: 'user', name: 'Computer_terminal' },
  ],
  mistake_agent: 'Geography_Expert',
  mistake_step: '1',
  mistake_reason: 'REASON',
  system_prompt: { Geography_Expert: 'PROMPT' },
};
const handCrafted = {
  is_corrected: false,
  question: 'Where?',
  question_ID: 'q',
  ground_truth: 'GOLD',
  history: [
    { content: 'Where?', role: 'human' },
    { content: 'Plan', role: 'Orchestrator (thought)' },
    { content: 'Search it', role: 'Orchestrator (-> WebSurfer)' },
    { content: 'Found', role: 'WebSurfer' },
    { content: 'ok', role: 'ComputerTerminal' },
  ],
  mistake_agent: 'Orchestrator',
  mistake_step: 1,
  mistake_reason: '',
};

async function readValue(value: unknown, options = {}) {
  return readWhoAndWhen(await write('7.json', JSON.stringify(value)), options);
}

describe('readWhoAndWhen', () => {
  test('reads the algorithm-generated half by name', async () => {
    const run = await readValue(algorithmGenerated);
    expect(run).toMatchObject({ task: 'Where?', domain: 'algorithm-generated', tools: [] });
    expect(run.turns).toEqual([
      { agent: 'Geography_Expert', kind: 'user', content: 'Task: Where?' },
      { agent: 'Geography_Expert', kind: 'agent', thought: 'Run it.', content: '```python```' },
      { agent: 'Computer_terminal', kind: 'tool', content: 'exitcode: 0' },
    ]);
    expect(run.label).toEqual({ kind: 'unsafe', step: 1, agent: 'Geography_Expert', reason: 'REASON' });
  });

  test('reads the hand-crafted half by role, and keeps the speaker as written', async () => {
    const run = await readValue(handCrafted);
    expect(run.domain).toBe('hand-crafted');
    expect(run.turns).toEqual([
      { agent: 'human', kind: 'user', content: 'Where?' },
      { agent: 'Orchestrator (thought)', kind: 'agent', content: 'Plan' },
      { agent: 'Orchestrator (-> WebSurfer)', kind: 'agent', content: 'Search it', handoffTo: 'WebSurfer' },
      { agent: 'WebSurfer', kind: 'agent', content: 'Found' },
      { agent: 'ComputerTerminal', kind: 'tool', content: 'ok' },
    ]);
    expect(run.label).toEqual({ kind: 'unsafe', step: 1, agent: 'Orchestrator', reason: undefined });
  });

  test('tells the two halves’ equal numbers apart by folder', async () => {
    const path = await write('12.json', JSON.stringify(handCrafted));
    expect((await readWhoAndWhen(path)).runId).toBe(`${basename(dirname(path))}/12`);
  });

  test('shows neither the answer nor the reason nor a system prompt', async () => {
    const run = await readValue(algorithmGenerated);
    expect(JSON.stringify({ ...run, label: undefined })).not.toMatch(/GOLD|REASON|PROMPT/);
  });

  test('takes a run without a label for safe only if it says that it is correct', async () => {
    const unlabelled = { ...algorithmGenerated, mistake_step: null, mistake_agent: undefined };
    expect((await readValue(unlabelled)).label).toBeUndefined();
    expect((await readValue({ ...unlabelled, is_correct: true })).label).toEqual({ kind: 'safe' });
  });

  test.each([
    ['history[1].content', { history: [handCrafted.history[0], { role: 'human', content: 3 }] }],
    ['history[0].role', { history: [{ content: 'x' }] }],
    ['history', { history: [] }],
    ['question', { question: null }],
    ['mistake_step', { mistake_step: 'two' }],
    ['mistake_step', { mistake_step: 1.5 }],
    ['mistake_step', { mistake_step: '5' }],
    ['mistake_step', { mistake_step: null }],
    ['mistake_agent', { mistake_agent: null }],
  ])('names a bad %s', async (field, change) => {
    const error = await inputErrorOf(readValue({ ...handCrafted, ...change }));
    expect(error.location.field).toBe(field);
    expect(error.location.file).toMatch(/7\.json$/);
  });

  test('counts UTF-8 bytes against the limit', async () => {
    const error = await inputErrorOf(readValue({ ...handCrafted, question: 'ä' }, { maxTurnBytes: 8 }));
    expect(error.location.field).toBe('history[2].content');
    const umlauts = { ...handCrafted, history: [{ role: 'human', content: 'ääää' }], mistake_step: 0 };
    expect((await inputErrorOf(readValue(umlauts, { maxTurnBytes: 7 }))).message).toContain(
      '8 bytes, more than the 7',
    );
    await expect(readValue(umlauts, { maxTurnBytes: 8 })).resolves.toBeDefined();
  });

  test('says where JSON with trailing garbage stops being JSON', async () => {
    const path = await write('garbage.json', `${JSON.stringify(handCrafted)}\n  oops`);
    const error = await inputErrorOf(readWhoAndWhen(path));
    expect(error.location.line).toBe(2);
    expect(error.message).toContain('no JSON from here on: "oops" (column 3)');
  });

  test('random JSON is read or refused by an InputError', async () => {
    const shape = fc.record(
      {
        question: fc.oneof(fc.string(), fc.jsonValue()),
        history: fc.oneof(
          fc.array(
            fc.record({ content: fc.string(), role: fc.string(), name: fc.string() }, { requiredKeys: [] }),
          ),
          fc.jsonValue(),
        ),
        mistake_step: fc.oneof(fc.nat(3), fc.string(), fc.jsonValue()),
        mistake_agent: fc.oneof(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(shape, fc.jsonValue()), async (value) => {
        const result = await readValue(value).catch((error: unknown) => error);
        expect(result instanceof Error ? result instanceof InputError : true).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test('readWhoAndWhenFolder goes by number, and leaves other files alone', async () => {
  const folder = join(dirname(await write('here', '')), 'half');
  await mkdir(folder);
  for (const name of ['10.json', '9.json']) await writeFile(join(folder, name), JSON.stringify(handCrafted));
  await writeFile(join(folder, 'LICENSE'), 'MIT');
  const runs = await collect(readWhoAndWhenFolder(folder));
  expect(runs.map(({ runId }) => runId)).toEqual(['half/9', 'half/10']);
  expect((await inputErrorOf(collect(readWhoAndWhenFolder(join(folder, 'none'))))).message).toContain(
    'is no folder',
  );
});
