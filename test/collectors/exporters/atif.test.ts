import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportAtif, toAtif } from '../../../collectors/exporters/atif.js';
import type { SampleTurn } from '../../../collectors/sample.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { sampleOf, streamed } from '../support/samples.js';
import { unsafeSample } from '../support/unsafe-sample.js';

const TURNS: readonly SampleTurn[] = [
  { agent: 'user', kind: 'user', content: 'Add 2 and 2.', at: Date.UTC(2026, 0, 2) },
  {
    agent: 'solver',
    kind: 'agent',
    thought: 'By tool.',
    content: 'Adding.',
    toolCalls: [
      { id: 'c1', name: 'add', args: { a: 2, b: 2 } },
      { id: '', name: 'note', args: 'not JSON', error: 'the arguments are not JSON' },
    ],
  },
  { agent: 'solver', kind: 'tool', content: '4', toolCallId: 'c1', toolName: 'add' },
  { agent: 'solver', kind: 'tool', content: 'noted', toolCallId: 'elsewhere' },
  { agent: 'solver', kind: 'handoff', content: '', handoffTo: 'checker' },
  { agent: 'checker', kind: 'agent', content: 'It is 4.' },
];

describe('toAtif', () => {
  test('a step is an agent with what it called and observed; others are the user and the system', () => {
    const { steps, ...root } = toAtif(sampleOf('a', { turns: TURNS }));
    expect(root).toMatchObject({ schema_version: 'ATIF-v1.4', session_id: 'a', agent: { name: 'test' } });
    expect(steps).toEqual([
      {
        step_id: 1,
        timestamp: '2026-01-02T00:00:00.000Z',
        source: 'user',
        message: 'Add 2 and 2.',
        extra: { agent: 'user', turns: [0] },
      },
      {
        step_id: 2,
        source: 'agent',
        message: 'Adding.',
        reasoning_content: 'By tool.',
        tool_calls: [
          { tool_call_id: 'c1', function_name: 'add', arguments: { a: 2, b: 2 } },
          { tool_call_id: 'turn-1-call-1', function_name: 'note', arguments: { value: 'not JSON' } },
        ],
        observation: {
          results: [
            { source_call_id: 'c1', content: '4' },
            { source_call_id: null, content: 'noted' },
          ],
        },
        extra: { agent: 'solver', turns: [1, 2, 3] },
      },
      {
        step_id: 3,
        source: 'system',
        message: '',
        observation: { results: [{ source_call_id: null, content: '' }] },
        extra: { agent: 'solver', turns: [4], kind: 'handoff', handoff_to: 'checker' },
      },
      { step_id: 4, source: 'agent', message: 'It is 4.', extra: { agent: 'checker', turns: [5] } },
    ]);
  });

  test('a result that follows no agent, and a time that is no date', () => {
    const { steps } = toAtif(
      sampleOf('a', { turns: [{ agent: 'x', kind: 'tool', content: 'alone', at: 1e300 }] }),
    );
    expect(steps).toEqual([
      {
        step_id: 1,
        source: 'system',
        message: '',
        observation: { results: [{ source_call_id: null, content: 'alone' }] },
        extra: { agent: 'x', turns: [0], kind: 'tool' },
      },
    ]);
  });

  test('one trajectory a line, the label in turns', async () => {
    const path = join(temporaryFolder(), 'atif.jsonl');
    expect(await exportAtif(streamed([unsafeSample('a'), unsafeSample('b')]), path)).toBe(2);
    const [first] = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first.extra).toMatchObject({ label: { kind: 'unsafe', step: 2 }, reference: 'THE ANSWER' });
    expect(first.steps[2].extra.action).toBe('note( sum = 5 )');
  });
});
