import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AuditRequest } from '../../core/auditor.js';
import { AuditHalt } from '../../core/errors.js';
import type { JsonValue } from '../../core/json.js';
import type { Redactor } from '../../core/redact.js';
import type { RunInfo } from '../../core/run-info.js';
import type { RuntimeOptions } from '../../core/runtime.js';
import type { TurnInput } from '../../core/turn.js';
import { alarmAt, auditedRun, says } from '../support/audited-run.js';

/** Assembled, so that no scanner takes this file for a leak. */
const canary = `sk-proj-${'a1B2c3D4'.repeat(4)}`;

const everywhere: TurnInput = {
  agent: `solver ${canary}`,
  kind: 'agent',
  content: `Use ${canary}.`,
  thought: canary,
  toolCalls: [
    {
      id: '1',
      name: `tool ${canary}`,
      args: {
        [canary]: [{ apiKey: canary, url: `https://me:${canary}@x` }],
        json: JSON.stringify({ token: canary }),
      },
      error: `no tool ${canary}`,
    },
  ],
  toolName: canary,
  handoffTo: canary,
};

const info: RunInfo = {
  runId: 'run',
  task: `Sum 1 and 2 with ${canary}.`,
  tools: [{ name: 'add', description: `key ${canary}`, parameters: { description: canary } }],
  given: [{ ...everywhere, id: 'given' }],
  continues: { runId: 'earlier', turns: [{ ...everywhere, id: 'continued' }] },
};

/** Runs through every way out, and returns all that came out of them. */
async function everythingThatGotOut(options: Partial<RuntimeOptions> = {}): Promise<Record<string, unknown>> {
  const requests: unknown[] = [];
  const errors: unknown[] = [];
  const audit = ({ prefix, ...rest }: AuditRequest) => {
    const said = [...prefix];
    requests.push({ ...rest, said });
    if (prefix.length === 3) throw new Error(`401: bad key ${canary}`);
    return prefix.length === 5 ? alarmAt(4, prefix.newest.agent) : { kind: 'continue' as const };
  };
  const run = auditedRun(audit, options, info);
  for (let turns = 0; turns < 3; turns++) {
    const decision = await run.session.submit(everywhere);
    if (decision.action === 'halt') errors.push(decision.halt, new AuditHalt(decision.halt));
  }
  await run.session.submit({ ...everywhere, kind: 'robot', password: canary } as unknown as TurnInput);
  await run.session.close({ status: 'aborted', error: `the host's own error: ${canary}` });
  const { records, diagnostics, session } = run;
  return { requests, errors, records, diagnostics, turns: session.turns() };
}

const text = (value: unknown) =>
  inspect(value, { depth: Infinity, maxArrayLength: null, maxStringLength: null, showHidden: true }) +
  JSON.stringify(value);

describe('a secret in every captured field', () => {
  it('reaches no auditor, record, halt, error or diagnostic', async () => {
    for (const [wayOut, what] of Object.entries(await everythingThatGotOut())) {
      expect(text(what), wayOut).toContain('[redacted:api-key]');
      expect(text(what), wayOut).not.toContain(canary);
    }
  });

  it('would be found by this test: without a redactor it is everywhere', async () => {
    const open = await everythingThatGotOut({ redactor: { redact: (value) => value } });
    for (const [wayOut, what] of Object.entries(open)) expect(text(what), wayOut).toContain(canary);
  });
});

describe('a redactor that fails drops the content', () => {
  const broken: [string, Redactor['redact']][] = [
    ['by throwing what it was given', (value) => fail(new Error(JSON.stringify(value)))],
    ['by throwing text', (value) => fail(JSON.stringify(value))],
    ['by returning nothing', () => undefined as unknown as JsonValue],
    ['by returning another shape', (value) => [value]],
    [
      'by returning a promise',
      ((value: JsonValue) => Promise.resolve(value)) as unknown as Redactor['redact'],
    ],
    ['by losing the arguments', (value) => ({ ...named(value), toolCalls: [{ name: 'x' }] })],
    ['by losing a tool call', (value) => ({ ...named(value), toolCalls: [] })],
    ['by blanking the agent', (value) => ({ ...named(value), agent: '' })],
  ];

  it.each(broken)('%s', async (_, redact) => {
    const { session, records, diagnostics } = auditedRun(() => alarmAt(1), { redactor: { redact } });
    const turn = { ...everywhere, agent: 'solver', toolName: 'add', handoffTo: 'b' };
    const toolCalls = [{ id: '1', name: 'add', args: { key: canary }, error: canary }];
    const decision = await session.submit({ ...turn, toolCalls });
    await session.close({ status: 'aborted', error: canary });
    expect(session.turns()[1]).toMatchObject({
      agent: 'solver',
      content: '[dropped: the redactor failed]',
      thought: '[dropped: the redactor failed]',
      toolCalls: [{ id: '1', name: 'add', args: '[dropped: the redactor failed]' }],
    });
    expect(decision.action).toBe('halt');
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'redactor-failed', runId: 'run' }));
    expect(text([decision, records, diagnostics])).not.toContain(canary);
  });

  function fail(cause: unknown): never {
    throw cause;
  }

  function named(value: JsonValue): Record<string, JsonValue> {
    return typeof value === 'object' ? { ...(value as Record<string, JsonValue>) } : fail('no turn');
  }
});

it('a field that the redactor takes out stays out', async () => {
  const redact = (value: JsonValue): JsonValue => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { thought, handoffTo, ...kept } = value as { [key: string]: JsonValue };
    return kept;
  };
  const { session, of } = auditedRun(() => ({ kind: 'continue' }), { redactor: { redact } });
  await session.submit(says('3', { thought: canary, handoffTo: canary }));
  expect(of('turn')[1]?.turn.content).toBe('3');
  expect(text([of('turn'), session.turns()])).not.toContain(canary);
});

it("what the redactor adds to a tool call is dropped, and the id stays the host's", async () => {
  const redact = (value: JsonValue): JsonValue =>
    typeof value === 'object' && value !== null && 'toolCalls' in value
      ? { ...value, toolCalls: [{ id: canary, name: 'add', args: { a: 1 }, note: canary }] }
      : value;
  const { session, of } = auditedRun(() => ({ kind: 'continue' }), { redactor: { redact } });
  await session.submit(says('3', { toolCalls: [{ id: '1', name: 'add', args: { a: 2 } }] }));
  expect(of('turn')[1]?.turn.toolCalls).toStrictEqual([{ id: '1', name: 'add', args: { a: 1 } }]);
});

describe("the host's objects", () => {
  it('are copied, never changed, even by a redactor that changes what it is given', async () => {
    const args = Object.freeze({ query: 'pumps', when: new Date(0), list: Object.freeze([1n, () => 1]) });
    const call = { id: '1', name: 'search', args: args as unknown as JsonValue };
    const turn = Object.freeze(says('3', { toolCalls: Object.freeze([Object.freeze(call)]) }));
    const redactor: Redactor = {
      redact(value) {
        if (typeof value === 'object' && value !== null) Object.assign(value, { content: 'changed' });
        return value;
      },
    };
    const { session } = auditedRun(() => ({ kind: 'continue' }), { redactor });
    await session.submit(turn);
    expect(turn.content).toBe('3');
    expect(session.turns()[1]?.content).toBe('changed');
    expect(session.turns()[1]?.toolCalls?.[0]?.args).toEqual({
      query: 'pumps',
      when: '1970-01-01T00:00:00.000Z',
      list: ['1n', '[function]'],
    });
  });

  it('may change afterwards without changing the record', async () => {
    const args: Record<string, JsonValue> = { query: 'pumps' };
    const { session } = auditedRun(() => ({ kind: 'continue' }));
    await session.submit(says('3', { toolCalls: [{ id: '1', name: 'search', args }] }));
    args['query'] = 'changed';
    expect(session.turns()[1]?.toolCalls?.[0]?.args).toEqual({ query: 'pumps' });
  });

  it('may be circular', async () => {
    const args: Record<string, unknown> = { a: 1 };
    args['self'] = args;
    const { session, of } = auditedRun(() => ({ kind: 'continue' }));
    await session.submit(says('3', { toolCalls: [{ id: '1', name: 'search', args: args as JsonValue }] }));
    expect(of('turn')[1]?.turn.toolCalls?.[0]?.args).toEqual({ a: 1, self: '[circular]' });
  });
});

it('a hostile turn of 5 MB passes through a whole session in seconds', async () => {
  const started = performance.now();
  const { session, of } = auditedRun(() => ({ kind: 'continue' }));
  for (const piece of ['a', ' ', '"password=', 'eyJaaaaaaaaaa.']) {
    await session.submit(says(piece.repeat(5_000_000 / piece.length), { thought: piece.repeat(1e5) }));
  }
  expect(of('verdict')).toHaveLength(4);
  expect(performance.now() - started).toBeLessThan(15_000);
});
