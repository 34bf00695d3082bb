import { expect, test } from 'vitest';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import { readWhoAndWhen } from '../../../collectors/importers/who-and-when.js';
import { collect } from '../support/collect.js';
import { toParquet } from '../support/parquet.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const write = temporaryFolder();

test('AFTraj: what the mapping to turns would hide', async () => {
  const action = (name: string, args: string) => JSON.stringify([{ name, arguments: args }]);
  const turn = { role: 'Solver', thought: '', action: '', content: 'x' };
  const turns = [
    { ...turn, role: 'user', content: 'q'.repeat(500) },
    { ...turn, action: action('f', '{"a":"b: c"}') },
    { ...turn, action: action('f', '{"a": "b"}') },
    { ...turn, action: action('python', 'print(1, 2)') },
    { ...turn, action: "[{'name': 'f'}]" },
    { ...turn, role: 'Computer_terminal', content: 'exitcode: 0' },
  ];
  const row = { conv_id: 'a', domain: 'agentic', task: 'q', num_turns: 7, tools: [], turns };
  const [run] = await collect(readAfTraj(await write('a.parquet', toParquet([[row]]))));
  expect(run?.quirks.map(({ code, step }) => [code, step])).toEqual([
    ['turn-count-mismatch', undefined],
    ['first-turn-cut-short', 0],
    ['terminal-as-agent', 5],
    ['arguments-not-json', 3],
    ['spaced-call-arguments', 2],
    ['python-literal-action', 4],
  ]);
});

test('Who&When: what the mapping to turns would hide', async () => {
  const published = {
    question: 'q',
    is_correct: true,
    history: [
      { name: 'user', role: 'user', content: 'q' },
      { name: 'A', role: 'user', content: '<think>a</think>b' },
    ],
    mistake_step: '1',
    mistake_agent: 'A',
    labels: 'x',
  };
  const run = await readWhoAndWhen(await write('1.json', JSON.stringify(published)));
  expect(run.quirks.map(({ code, step, detail }) => [code, step ?? detail])).toEqual([
    ['unusual-field', 'labels'],
    ['string-mistake-step', 'mistake_step is the text "1"'],
    ['label-on-correct-run', 1],
    ['think-tag', 1],
  ]);
});
