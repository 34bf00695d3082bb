import { describe, expect, test } from 'vitest';
import type { Sample, SampleTurn } from '../../../../collectors/sample.js';
import { ArgumentSchemas } from '../../../../collectors/stages/filter/argument-schemas.js';
import { integrityOf } from '../../../../collectors/stages/filter/integrity.js';
import type { ToolCall, ToolSpec } from '../../../../core/index.js';
import { sampleOf } from '../samples.js';

const compute: ToolSpec = {
  name: 'compute',
  parameters: {
    type: 'object',
    properties: { expression: { type: 'string', minLength: 1 }, digits: { $ref: '#/$defs/digits' } },
    required: ['expression'],
    additionalProperties: false,
    $defs: { digits: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
  },
};
const calls = (...toolCalls: ToolCall[]): SampleTurn => ({
  agent: 'A',
  kind: 'agent',
  content: '',
  toolCalls,
});
const call = (name: string, args: ToolCall['args'] = {}, id = ''): ToolCall => ({ id, name, args });
const result = (more: Partial<SampleTurn> = {}): SampleTurn => ({
  agent: 'A',
  kind: 'tool',
  content: 'x',
  ...more,
});
const judged = (
  turns: readonly SampleTurn[],
  tools: readonly ToolSpec[] = [compute],
  codeTools = ['python'],
) =>
  integrityOf({ tools, turns } satisfies Pick<Sample, 'tools' | 'turns'>, codeTools, new ArgumentSchemas());
const fault = (...turns: readonly SampleTurn[]) => judged(turns).faults[0]?.fault;

test('finds nothing in a valid run', () => {
  expect(integrityOf(sampleOf(), [], new ArgumentSchemas())).toEqual({ faults: [], exceptions: [] });
  expect(fault(calls(call('compute', { expression: '1', digits: null })))).toBeUndefined();
});

describe('calls', () => {
  test.each([
    ['an unknown tool', call('google', { q: 'x' }), "google is none of the run's tools"],
    [
      'arguments that did not parse',
      { ...call('compute', '{"expr'), error: 'no JSON' },
      'the call to compute could not be parsed: no JSON',
    ],
    [
      'a missing argument',
      call('compute', {}),
      "the call to compute does not fit its schema: the arguments must have required property 'expression'",
    ],
    [
      'an argument of another type',
      call('compute', { expression: '1', digits: '2' }),
      'the call to compute does not fit its schema: /digits must be integer',
    ],
    [
      'an argument that there is not',
      call('compute', { expression: '1', mode: 2 }),
      'the call to compute does not fit its schema: the arguments must NOT have additional properties',
    ],
  ])('%s', (_, made, message) => {
    expect(judged([result({ kind: 'agent' }), calls(made)]).faults).toEqual([{ step: 1, fault: message }]);
  });

  test('handovers are no tools', () => {
    expect(fault(calls(call('transfer_to_verifier')))).toBeUndefined();
  });

  test('code in place of JSON is let pass for tools that take code, and said', () => {
    const made = { ...call('python', 'print(1)'), error: 'the arguments are not JSON' };
    const { faults, exceptions } = judged([calls(made)], [compute, { name: 'python' }]);
    expect(faults).toEqual([]);
    expect(exceptions).toEqual(['the arguments of python are code, not JSON, and taken as they are']);
    expect(judged([calls(made)], [{ name: 'python' }], []).faults).toHaveLength(1);
    expect(judged([calls(made)], [compute]).faults[0]?.fault).toContain('python is none');
  });

  test('where the run names no tools none is unknown, and that is said', () => {
    const { faults, exceptions } = judged([calls(call('google'))], []);
    expect([faults, exceptions]).toEqual([[], ['the run names no tools, so that none is unknown']]);
  });

  test('a schema that is none is not applied, and that is said', () => {
    const odd: ToolSpec = { name: 'odd', parameters: { type: 'banana' } };
    const missing: ToolSpec = { name: 'odd', parameters: { $ref: 'https://example.com/elsewhere.json' } };
    for (const tool of [odd, missing]) {
      const { faults, exceptions } = judged([calls(call('odd'))], [tool]);
      expect(faults).toEqual([]);
      expect(exceptions[0]).toMatch(/^the schema of odd cannot be read, and is not applied: /);
    }
  });

  test('draft 7 is read as draft 7', () => {
    const parameters = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
      type: 'array',
    };
    const pair: ToolSpec = { name: 'pair', parameters };
    expect(judged([calls(call('pair', [1]))], [pair]).faults).toHaveLength(1);
    expect(judged([calls(call('pair', ['a']))], [pair]).faults).toEqual([]);
  });

  test('two tools whose schemas claim one id do not meet', () => {
    const named = (name: string, type: string): ToolSpec => ({ name, parameters: { $id: 'args', type } });
    const tools = [named('one', 'object'), named('two', 'array')];
    expect(judged([calls(call('one', {}), call('two', []))], tools).faults).toEqual([]);
    expect(judged([calls(call('one', []), call('two', {}))], tools).faults).toHaveLength(2);
  });
});

describe('results', () => {
  const asked = calls(call('compute', { expression: '1' }, 'a'), call('compute', { expression: '2' }, 'b'));
  const answer = (toolCallId: string) => result({ toolName: 'compute', toolCallId });

  test('each answers a call by its id, in any order', () => {
    expect(fault(asked, answer('b'), answer('a'))).toBeUndefined();
    expect(fault(asked, answer('c'))).toBe('the result of compute answers no call');
    expect(fault(answer('a'), asked)).toBe('the result of compute answers no call');
  });

  test('without ids, so many as there were calls', () => {
    expect(fault(asked, result(), result())).toBeUndefined();
    expect(fault(asked, result(), result(), result())).toBe('the result of a tool answers no call');
    expect(fault(asked, result({ toolName: 'other' }))).toBe('the result of other answers no call');
  });

  test('those of AFTraj stand several in one turn', () => {
    const both = ['a', 'b'].map((call_id) => ({ name: 'compute', result: '1', call_id }));
    expect(fault(asked, result({ content: JSON.stringify(both) }))).toBeUndefined();
    const other = [{ name: 'compute', result: '1', call_id: 'z' }];
    expect(fault(asked, result({ content: JSON.stringify(other) }))).toBe(
      'the result of compute answers no call',
    );
  });

  test('calls that are written as text count', () => {
    const written = calls(call('action', 'call search({"q": "a"}); call search({"q": "b"})'));
    const { faults, exceptions } = judged([written, result(), result(), result()], []);
    expect(faults).toEqual([{ step: 3, fault: 'the result of a tool answers no call' }]);
    expect(exceptions).toEqual(['calls that are written as text are counted, and not checked']);
    expect(judged([calls(call('action', '[ThoughtEvent]')), result()]).faults).toHaveLength(1);
  });
});
