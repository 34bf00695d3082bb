import { streamText, ToolLoopAgent } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import {
  calls,
  isAnswered,
  says,
  scriptedLanguageModel,
} from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, noting, strict, watched } from './audited.js';

/** Its first answer calls the tool `first`; `add` gives `answer`; then it says `last`. */
function solver(ran: string[], { first = 'add', answer = '40', last = 'fine' } = {}) {
  return new ToolLoopAgent({
    id: 'solver',
    onError: () => {},
    model: scriptedLanguageModel((prompt) =>
      isAnswered(prompt) ? says(last) : [...says('let me see'), ...calls(first, {})],
    ),
    tools: { add: noting(ran, 'add', () => answer), wrong: noting(ran, 'wrong') },
  });
}

const typesIn = async (stream: AsyncIterable<{ type: string }>) =>
  (await Array.fromAsync(stream)).map(({ type }) => type);

test('words flow while the verdict is awaited; the tool waits', async () => {
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const { runtime } = watched({ auditor: strict(() => gate.promise) });
  const ran: string[] = [];
  const { fullStream } = await withAuditor(solver(ran), runtime).stream({ prompt: 'go' });
  const reading = (async () => {
    for await (const { type } of fullStream) log.push(type);
  })();
  await vi.waitFor(() => expect(log).toContain('text-end'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([log.filter((type) => type === 'text-delta').length, log.includes('tool-call'), ran]).toEqual([
    2,
    false,
    [],
  ]);
  gate.resolve();
  await reading;
  expect(ran).toEqual(['add']);
  expect(log.at(-1)).toBe('finish');
});

test.each([
  ['on a call', { first: 'wrong' }, [], 1],
  ['on a tool’s answer', { answer: 'wrong' }, ['add'], 2],
  ['on the last words', { last: 'all wrong' }, ['add'], 3],
])(
  'an alarm %s: one error part, and every promise of the result rejects with it',
  async (_where, script, expected, step) => {
    const { runtime, outcomes } = watched({ auditor: strict() });
    const ran: string[] = [];
    const result = await withAuditor(solver(ran, script), runtime).stream({ prompt: 'go' });
    const parts = await Array.fromAsync(result.fullStream);
    const errors = parts.flatMap((part) => (part.type === 'error' ? [part.error] : []));
    expect(errors).toMatchObject([{ alarm: { step, agent: 'solver' } }]);
    for (const promise of [
      result.text,
      result.steps,
      result.finishReason,
      result.toolCalls,
      result.usage,
      result.response,
    ]) {
      expect(await errorOf(promise)).toBeInstanceOf(AuditHalt);
    }
    expect(ran).toEqual(expected);
    expect(outcomes()).toEqual(['halted']);
  },
);

test('a last turn that the schedule passed over is judged before the stream’s end', async () => {
  const { runtime } = watched({ auditor: strict(), schedule: { due: () => false } });
  const result = await withAuditor(solver([], { last: 'all wrong' }), runtime).stream({ prompt: 'go' });
  expect((await typesIn(result.fullStream)).slice(-2)).toEqual(['error', 'finish']);
  expect(await errorOf(result.text)).toBeInstanceOf(AuditHalt);
});

test('a UI stream shows the error, and ends; its words are the caller’s to choose', async () => {
  const { runtime } = watched({ auditor: strict() });
  const result = await withAuditor(solver([], { first: 'wrong' }), runtime).stream({ prompt: 'go' });
  const onError = (error: unknown) =>
    error instanceof AuditHalt ? `halted: ${error.alarm?.reason}` : 'error';
  const parts = await Array.fromAsync(result.toUIMessageStream({ onError }));
  expect(parts).toContainEqual({ type: 'error', errorText: 'halted: it is wrong' });
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
});

test('streamText returns at once, in the host’s type, and its run ends with its stream', async () => {
  const { runtime, told, outcomes } = watched();
  const seen: string[] = [];
  const result = withAuditor(
    streamText,
    runtime,
  )({
    model: scriptedLanguageModel(() => says('hello')),
    prompt: 'greet',
    telemetry: { functionId: 'greeter' },
    experimental_transform: () =>
      new TransformStream({
        transform(part, controller) {
          seen.push(part.type);
          controller.enqueue(part);
        },
      }),
  });
  expect(await result.text).toBe('hello');
  expect(told()).toEqual(['user, user: greet', 'greeter, agent: hello']);
  expect(seen).toContain('finish');
  await vi.waitFor(() => expect(outcomes()).toEqual(['completed']));
});

test('a model that fails has not spoken; the error is the host’s', async () => {
  const { runtime, told, outcomes } = watched();
  const broken = new Error('no network');
  const model = scriptedLanguageModel(() => {
    throw broken;
  });
  const errors: unknown[] = [];
  const result = withAuditor(
    streamText,
    runtime,
  )({
    model,
    prompt: 'go',
    onError: ({ error }) => void errors.push(error),
  });
  await errorOf(result.text);
  expect(errors).toEqual([broken]);
  expect(told()).toEqual(['user, user: go']);
  await vi.waitFor(() => expect(outcomes()).toEqual(['failed']));
});

const unfinished = (...parts: object[]) =>
  new MockLanguageModelV4({
    doStream: async () => ({ stream: convertArrayToReadableStream(parts as never[]) }),
  });
const words = (delta: string) => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
  { type: 'text-end', id: 't' },
];
const call = { type: 'tool-call', toolCallId: 'c', toolName: 'wrong', input: '{}' };

test('a model’s stream that breaks off without an end: what it said is told, and every part is as bare', async () => {
  const model = () => unfinished(...words('half an answer'));
  const typesOf = async (host: typeof streamText) =>
    typesIn(host({ model: model(), prompt: 'go', onError: () => {} }).fullStream);
  const { runtime, told, outcomes } = watched();
  expect(await typesOf(withAuditor(streamText, runtime))).toEqual(await typesOf(streamText));
  expect(told().slice(1)).toEqual(['mock-model-id, agent: half an answer']);
  await vi.waitFor(() => expect(outcomes()).toHaveLength(1));
});

test('there, too, a tool waits for the verdict', async () => {
  const { runtime, told, outcomes } = watched({ auditor: strict() });
  const ran: string[] = [];
  const ask = (host: typeof streamText) =>
    host({
      model: unfinished(...words('let me see'), call),
      tools: { wrong: noting(ran, 'wrong') },
      prompt: 'go',
      onError: () => {},
    });
  await Array.fromAsync(ask(streamText).fullStream);
  const bare = ran.length;
  await Array.fromAsync(ask(withAuditor(streamText, runtime)).fullStream);
  expect(ran).toHaveLength(bare);
  expect(told()).toHaveLength(2);
  expect(outcomes()).toEqual(['halted']);
});
