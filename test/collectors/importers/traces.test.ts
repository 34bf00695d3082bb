import { describe, expect, test } from 'vitest';
import { recordedRuns } from '../../../collectors/importers/recorded-runs.js';
import { collect } from '../support/collect.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const write = temporaryFolder();

async function read(value: unknown) {
  return collect(recordedRuns(await write('input.json', JSON.stringify(value)), {}));
}

const user = { role: 'user', content: 'How many?' };

describe('traces', () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
  const model = (id: string, start: number, input: unknown, output: string, more = {}) => ({
    id,
    traceId: 't',
    type: 'GENERATION',
    input,
    output: { role: 'assistant', content: output },
    startTime: at(start),
    endTime: at(start + 1),
    ...more,
  });

  test('a word said twice is told twice; a history before the run is given', async () => {
    const said = { role: 'assistant', content: 'ok' };
    const past = [user, said, { role: 'user', content: 'Again.' }];
    const [run] = await read([
      model('a', 1, past, 'ok'),
      model('b', 3, [...past, said, { role: 'user', content: 'More.' }], 'ok'),
    ]);
    expect(run?.turns.map(({ content, given = false }) => [content, given])).toEqual([
      ['How many?', true],
      ['ok', true],
      ['Again.', false],
      ['ok', false],
      ['More.', false],
      ['ok', false],
    ]);
    expect(run?.task).toBe('Again.');
    expect(run?.quirks.some(({ code, step }) => code === 'prompt-mid-run' && step === 4)).toBe(true);
  });

  test('what a delegating call asks is not told again, and the sub-agent stands inside the call', async () => {
    const calls = {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c', name: 'ask_counter', args: { task: 'Count the cups.' } }],
    };
    const agent = (id: string, name: string, start: number, end: number, parent?: string) => ({
      id,
      traceId: 't',
      type: 'AGENT',
      name,
      startTime: at(start),
      endTime: at(end),
      parentObservationId: parent,
    });
    const [run] = await read([
      agent('lead', 'lead', 0, 9),
      { ...model('1', 1, [user], ''), output: calls, parentObservationId: 'lead' },
      {
        id: 'tool',
        traceId: 't',
        type: 'TOOL',
        name: 'ask_counter',
        input: { task: 'Count the cups.' },
        output: '351',
        startTime: at(3),
        endTime: at(6),
        parentObservationId: 'lead',
      },
      agent('counter', 'counter', 3, 6, 'tool'),
      model('2', 4, [{ role: 'user', content: 'Count the cups.' }], 'There are 351.', {
        parentObservationId: 'counter',
      }),
      model('3', 7, [user, calls, { role: 'tool', tool_call_id: 'c', content: '351' }], '351.', {
        parentObservationId: 'lead',
      }),
    ]);
    expect(run?.turns.map(({ kind, agent: who, content }) => `${kind} ${who}: ${content}`)).toEqual([
      'user user: How many?',
      'agent lead: ',
      'agent counter: There are 351.',
      'tool lead: 351',
      'agent lead: 351.',
    ]);
  });

  test('what was not kept is said', async () => {
    const [run] = await read([
      { id: 'a', traceId: 't', type: 'GENERATION', startTime: at(1), output: null },
      {
        id: 'b',
        traceId: 't',
        type: 'TOOL',
        name: 'stock',
        input: {},
        startTime: at(3),
        endTime: at(2),
        parentObservationId: 'gone',
      },
    ]);
    const codes = run?.quirks.map(({ code }) => code);
    expect(codes).toEqual(
      expect.arrayContaining([
        'missing-input',
        'missing-output',
        'missing-parent-span',
        'clock-order',
        'unanswered-call',
      ]),
    );
  });
});
