import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sample, SampleTurn } from '../../../collectors/sample.js';
import { scrubbed } from '../../../collectors/scrub/scrub-rules.js';

const fragment = fc.constantFrom(
  '</code>',
  '<code>',
  '<',
  '/code>',
  '“',
  '”',
  '’',
  '…',
  '—',
  '\u00ad',
  '\u200b',
  '/tmp/tmpab12_x.py',
  '/tmp/',
  'C:\\Users\\ann\\x',
  '/home/ann/a',
  ' at 0x7f3a5c1d0e50',
  '\n\n\n',
  '  \n',
  '\r\n',
  ' ',
  '"',
  "'",
  '\\',
  '{"a": 1}',
  '[{"name": "compute", "result": "3", "call_id": "call_x"}]',
  "[{'name': 'run_tests', 'arguments': '{\"b\":1, \"a\": 2}', 'id': 'call_9'}]",
  '[{',
  '}]',
  'Blu-Ray_Expert',
  'word',
  '5',
);
const text = fc.oneof(
  fragment,
  fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join('')),
);
const call = fc.record({
  id: fc.constantFrom('', 'call_verify_slip', 'call_0001', 'x'),
  name: fc.constantFrom('compute', 'action'),
  args: fc.oneof(text, fc.dictionary(text, text)),
});
const turn: fc.Arbitrary<SampleTurn> = fc
  .record(
    {
      agent: fc.constantFrom('user', 'Blu-Ray_Expert', 'Blu_Ray_Expert', 'Solver'),
      kind: fc.constantFrom('user', 'agent', 'tool'),
      content: text,
      thought: text,
      action: text,
      toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }),
      toolCallId: fc.constantFrom('call_verify_slip', 'x'),
    },
    { requiredKeys: ['agent', 'kind', 'content'] },
  )
  .map((made) => made as SampleTurn);

const sample: fc.Arbitrary<Sample> = fc.record({
  id: fc.string(),
  task: text,
  tools: fc.constant([]),
  turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
  provenance: fc.record({ format: fc.constant('made'), source: fc.constant('here') }),
});

test('scrubbing twice is scrubbing once, and keeps every turn', () => {
  fc.assert(
    fc.property(sample, (one) => {
      const clean = scrubbed(one).sample;
      expect(clean.turns).toHaveLength(one.turns.length);
      expect(scrubbed(clean)).toEqual({ sample: clean, touchedBy: [] });
    }),
    { numRuns: 1000 },
  );
});

test('a run reads the same, whatever its label says', () => {
  fc.assert(
    fc.property(sample, (one) => {
      const { label: _, ...safe } = scrubbed({ ...one, label: { kind: 'safe' } }).sample;
      const error = {
        kind: 'unsafe',
        step: 0,
        agent: one.turns[0]?.agent ?? '',
        source: 'injected',
      } as const;
      const { label, ...unsafe } = scrubbed({ ...one, label: error }).sample;
      expect(unsafe).toEqual(safe);
      expect(label).toEqual({ ...error, agent: unsafe.turns[0]?.agent });
    }),
  );
});

const clean = (content: string, others: Partial<SampleTurn> = {}) =>
  scrubbed({
    id: 'one',
    task: 't',
    tools: [],
    turns: [{ agent: 'A', kind: 'agent', content, ...others }],
    provenance: { format: 'made', source: 'here' },
  }).sample.turns[0];

test.each([
  ['it’s “so”… — yes', 'it\'s "so"... - yes'],
  ['<code>x</code> y</code>', '<code>x</code> y'],
  ['soft\u00adhyphen, zero\u200bwidth', 'softhyphen, zerowidth'],
  ['File "/tmp/tmp5z1spgz1.py", line 21', 'File "/tmp/file.py", line 21'],
  ['in /var/folders/3x/ab_1/T/tmpq.json.', 'in /tmp/file.json.'],
  ['C:\\Users\\ann\\AppData\\Local\\Temp\\x1.txt', '/tmp/file.txt'],
  ['/home/ann/x and /Users/bob/y', '/home/user/x and /Users/user/y'],
  ['<function f at 0x7f3a5c1d0e50>', '<function f at 0x0>'],
  ['a  \nb\n\n\n\nc \n', 'a\nb\n\nc'],
  ['the constant 0xdeadbeef stays', 'the constant 0xdeadbeef stays'],
])('%j', (before, after) => {
  expect(clean(before)?.content).toBe(after);
});

test('a curly quote within JSON leaves it JSON', () => {
  const answer = clean('[{"name": "search", "result": "the “big” one", "call_id": "x"}]', { kind: 'tool' });
  expect(JSON.parse(answer?.content ?? '')).toEqual([
    { name: 'search', result: 'the "big" one', call_id: 'call_0000' },
  ]);
});

test('raw arguments lose their blanks and keep what they say; a long number stays to the digit', () => {
  const spaced =
    '[{"name": "f", "arguments": "{\\"b\\": 1, \\"a\\": \\"x  y\\"}", "id": "q"}, {"name": "g", "arguments": "x = 1"}]';
  const toolCalls = [
    { id: 'q', name: 'f', args: { b: 1, a: 'x  y' } },
    { id: '', name: 'g', args: 'x = 1', error: 'the arguments are not JSON' },
  ];
  const turn = clean('', { action: spaced, toolCalls });
  expect(turn?.action).toBe(
    '[{"name":"f","arguments":"{\\"a\\":\\"x  y\\",\\"b\\":1}","id":"call_0000"},{"name":"g","arguments":"x = 1"}]',
  );
  expect(clean('[{"result": 12345678901234567890}]', { kind: 'tool' })?.content).toContain(
    '12345678901234567890',
  );
});

test('hyphens leave names of speakers, in the label and in texts, unless two would become one', () => {
  const turns: SampleTurn[] = [
    { agent: 'Blu-Ray_Expert', kind: 'agent', content: 'I, Blu-Ray_Expert, own a Blu-Ray' },
    { agent: 'A-B', kind: 'agent', content: '' },
    { agent: 'A_B', kind: 'agent', content: '' },
  ];
  const label = { kind: 'unsafe', step: 0, agent: 'Blu-Ray_Expert' } as const;
  const provenance = { format: 'made', source: 'here' };
  const result = scrubbed({ id: 'one', task: 't', tools: [], turns, label, provenance }).sample;
  expect(result.turns.map(({ agent }) => agent)).toEqual(['Blu_Ray_Expert', 'A-B', 'A_B']);
  expect(result.turns[0]?.content).toBe('I, Blu_Ray_Expert, own a Blu-Ray');
  expect(result.label).toEqual({ ...label, agent: 'Blu_Ray_Expert' });
});

test('a run and the one that was made from it still name each other', () => {
  const provenance = { format: 'made', source: 'here' };
  const bare = { task: 't', tools: [], turns: [] };
  const parent = scrubbed({ ...bare, id: 'a_safe', provenance }).sample;
  const child = scrubbed({
    ...bare,
    id: 'a_injected',
    provenance: { ...provenance, parent: 'a_safe' },
  }).sample;
  expect(child.provenance.parent).toBe(parent.id);
});
