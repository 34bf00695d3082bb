import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../collectors/importers/detect-format.js';
import { importers } from '../../../collectors/importers/formats.js';
import { recordedRuns } from '../../../collectors/importers/recorded-runs.js';
import { InputError } from '../../../core/index.js';
import { collect } from '../support/collect.js';
import { inputErrorOf } from '../support/input-error.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const write = temporaryFolder();

async function readText(text: string, options = {}) {
  return collect(recordedRuns(await write('input.json', text), options));
}

const read = (value: unknown, options = {}) => readText(JSON.stringify(value), options);
const user = { role: 'user', content: 'How many?' };
const generation = {
  id: 'o',
  traceId: 't',
  type: 'GENERATION',
  input: [user],
  output: 'five',
  startTime: '2026-01-01T00:00:00Z',
};

describe('bad input is one line that names file, line and field', () => {
  test.each<[string, unknown, string]>([
    ['openai-messages', { messages: [user, { role: 'wizard', content: 'x' }] }, 'messages[1]'],
    ['openai-messages', [user, 7], '[1]'],
    ['atif', { schema_version: 'ATIF-v1.4', steps: [] }, 'steps'],
    ['atif', { schema_version: 'ATIF-v1.4', steps: [{ source: 'judge', message: 'x' }] }, 'steps[0].source'],
    ['langsmith', [{ id: 'a', run_type: 'llm' }, { id: 'b' }], '[1].run_type'],
    ['langfuse', { data: [generation, { id: 'x' }] }, 'data[1].type'],
    [
      'otlp',
      { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'x' }] }] }] },
      'resourceSpans[0].scopeSpans[0].spans[0].traceId',
    ],
    ['autogen', { chat_history: [{ content: 'x', name: 'a' }, null] }, 'chat_history[1]'],
    [
      'metagpt',
      { history: { storage: [{ content: 'x', cause_by: 'a.UserRequirement' }, {}] } },
      'history.storage[1]',
    ],
    [
      'smolagents',
      { steps: [{ task: 'x' }, { step_number: 1, model_output: 'x' }, { other: 1 }] },
      'steps[2]',
    ],
  ])('%s', async (format, value, field) => {
    const path = await write('input.json', JSON.stringify(value));
    expect(await detectFormat(path)).toBe(format);
    const error = await inputErrorOf(collect(recordedRuns(path, {})));
    expect(error.location).toMatchObject({ file: path, field });
    expect(error.message).not.toContain('\n');
  });

  test('of a file of lines, the line; told and passed over when the reader is to go on', async () => {
    const text = `${JSON.stringify({ messages: [user] })}\n{"messages": [\n${JSON.stringify({ messages: [user] })}\n`;
    expect((await inputErrorOf(readText(text))).location.line).toBe(2);
    const told: InputError[] = [];
    const runs = await readText(text, { onBadLine: (error: InputError) => told.push(error) });
    expect(runs).toHaveLength(2);
    expect(told.map(({ location }) => location.line)).toEqual([2]);
  });

  test('an unknown file: what was found, and what is known', async () => {
    const { message } = await inputErrorOf(read({ spans: [], title: 'x' }));
    expect(message).toContain('an object of no known format (fields: spans, title)');
    for (const { title } of importers) expect(message).toContain(title);
  });

  test('a turn above the limit', async () => {
    const error = await inputErrorOf(
      read([user, { role: 'assistant', content: 'x'.repeat(99) }], { maxTurnBytes: 50 }),
    );
    expect(error.location.field).toBe('[1].content');
  });
});

describe('hostile files', () => {
  test('prototype keys are data', async () => {
    const call = {
      id: '__proto__',
      type: 'function',
      function: { name: 'constructor', arguments: '{"__proto__": {"polluted": 1}}' },
    };
    const [run] = await readText(
      JSON.stringify([
        user,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: '__proto__', content: 'x' },
      ]),
    );
    expect(run?.turns[1]?.toolCalls?.[0]?.name).toBe('constructor');
    expect(JSON.stringify(run?.turns[1]?.toolCalls?.[0]?.args)).toBe('{"__proto__":{"polluted":1}}');
    expect(run?.quirks.filter(({ code }) => code === 'orphan-tool-result')).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const keys = [
      'llm.input_messages.__proto__.message.content',
      'llm.input_messages.constructor.prototype.polluted',
    ];
    const attributes = keys.map((key) => ({ key, value: { stringValue: 'x' } }));
    const span = {
      traceId: 't',
      spanId: 's',
      attributes: [...attributes, { key: 'openinference.span.kind', value: { stringValue: 'LLM' } }],
    };
    await read({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('nesting of any depth is read or refused, never a crash', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const args = `{"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": ${deep}}}]}`;
    for (const text of [deep, `{"messages": [${args}]}`, `[{"role": "user", "content": ${deep}}]`]) {
      const result = await readText(text).catch((error: unknown) => error);
      expect(result instanceof Error ? result instanceof InputError : true).toBe(true);
    }
  });

  test('spans that are their own ancestors, and a chain of ten thousand', async () => {
    const ring = [
      { ...generation, id: 'a', parentObservationId: 'b' },
      { ...generation, id: 'b', parentObservationId: 'a', output: 'six' },
    ];
    const [run] = await read(ring);
    expect(run?.turns.map(({ content }) => content).toSorted()).toEqual(['How many?', 'five', 'six']);
    const chain = Array.from({ length: 10_000 }, (_, at) => ({
      ...generation,
      id: `${at}`,
      type: at === 9_999 ? 'GENERATION' : 'SPAN',
      parentObservationId: at === 0 ? null : `${at - 1}`,
    }));
    const [long] = await read(chain);
    expect(long?.turns.map(({ content }) => content)).toEqual(['How many?', 'five']);
  });

  test('random JSON of known shapes is read or refused by an InputError', async () => {
    const any = fc.jsonValue({ maxDepth: 3 });
    const text = fc.oneof(fc.string(), any);
    const message = fc.record(
      {
        role: fc.constantFrom('user', 'assistant', 'tool', 'ai', 'x'),
        content: text,
        tool_calls: any,
        name: text,
        tool_call_id: text,
      },
      { requiredKeys: ['role'] },
    );
    const shape = fc.oneof(
      fc.record({ messages: fc.array(message) }),
      fc.record({
        schema_version: fc.constant('ATIF-v1.6'),
        steps: fc.array(
          fc.record({
            source: fc.constantFrom('user', 'agent', 'system'),
            message: text,
            tool_calls: any,
            observation: fc.oneof(any, fc.record({ results: any })),
          }),
        ),
      }),
      fc.array(
        fc.record({
          id: fc.string({ minLength: 1 }),
          run_type: fc.constantFrom('llm', 'tool', 'chain'),
          inputs: any,
          outputs: any,
          parent_run_id: text,
          name: text,
          dotted_order: text,
        }),
      ),
      fc.array(
        fc.record({
          id: fc.string({ minLength: 1 }),
          traceId: fc.constant('t'),
          type: fc.constantFrom('GENERATION', 'TOOL', 'SPAN'),
          input: any,
          output: any,
          parentObservationId: text,
          startTime: text,
          metadata: any,
        }),
      ),
      fc.record({
        messages: fc.array(
          fc.record({
            source: fc.string({ minLength: 1 }),
            type: fc.constantFrom(
              'TextMessage',
              'ToolCallRequestEvent',
              'ToolCallExecutionEvent',
              'HandoffMessage',
            ),
            content: any,
          }),
        ),
      }),
      fc.array(
        fc.record({
          step_number: fc.nat(),
          model_output: text,
          tool_calls: any,
          observations: text,
          error: any,
          timing: any,
        }),
      ),
      fc.record({
        history: fc.record({
          storage: fc.array(fc.record({ content: any, cause_by: fc.string(), role: text, sent_from: text })),
        }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(shape, async (value) => {
        const result = await read(value).catch((error: unknown) => error);
        if (result instanceof Error && !(result instanceof InputError)) throw result;
      }),
      { numRuns: 400 },
    );
  });
});
