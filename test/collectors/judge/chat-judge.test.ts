import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ChatJudgeOptions, chatJudge } from '../../../collectors/judge/chat-judge.js';
import type { Question } from '../../../collectors/judge/judge.js';
import { SetupError } from '../../../core/index.js';
import {
  after,
  type Behaviour,
  breaksOff,
  fails,
  hangs,
  hangsUp,
  malformed,
  replies,
  usage,
  wrongSchema,
} from '../../support/model-server/behaviours.js';
import { modelServer } from '../../support/model-server.js';

const question: Question<{ aligned: boolean }> = {
  system: 'You grade.',
  prompt: 'Is it so?',
  schema: z.strictObject({ aligned: z.boolean() }),
};
const never = new AbortController().signal;
const YES = '{"aligned": true}';

async function judging(script: readonly Behaviour[], options: Partial<ChatJudgeOptions> = {}) {
  const server = await modelServer((_, count) => script[Math.min(count, script.length - 1)] ?? hangs);
  return { server, judge: chatJudge({ baseURL: server.baseURL, model: 'tiny', retries: 0, ...options }) };
}

describe('a judge on a chat server', () => {
  test('asks what it is asked, greedily, and reads the answer', async () => {
    const { server, judge } = await judging([replies({ text: YES, usage: usage(90, 0, 10) })], {
      prices: { input: 1, output: 2 },
    });
    expect(await judge.ask(question, never)).toEqual({
      answer: { aligned: true },
      usage: { tokens: 100, cost: (90 + 20) / 1e6 },
    });
    expect(server.requests[0]?.body).toEqual({
      model: 'tiny',
      messages: [
        { role: 'system', content: 'You grade.' },
        { role: 'user', content: 'Is it so?' },
      ],
      max_tokens: 2_048,
      temperature: 0,
    });
    expect(judge.name).toBe('tiny');
  });

  test('gives each sample a seed of its own, and says the seed in its name', async () => {
    const { server, judge } = await judging([replies({ text: YES })], { seed: 40 });
    await judge.ask({ ...question, sample: 2, temperature: 0.7 }, never);
    expect(server.requests[0]?.body).toMatchObject({ seed: 42, temperature: 0.7 });
    expect(judge.name).toBe('tiny (seed 40)');
  });

  test.each<[string, Behaviour, string]>([
    ['words', replies({ text: 'I think so.' }), 'no JSON'],
    ['another form', replies({ text: '{"aligned": "yes"}' }), 'aligned: '],
    ['a field too many', replies({ text: '{"aligned": true, "sure": 1}' }), 'nrecognized'],
    ['nothing', replies({ text: '' }), 'no JSON'],
    ['half an answer', replies({ text: '{"aligned": tr', finishReason: 'length' }), 'cut off'],
    ['a refusal', replies({ text: YES, message: { refusal: 'I cannot.' } }), 'refused: I cannot.'],
  ])('%s is nonsense', async (_, behaviour, message) => {
    const { judge } = await judging([behaviour]);
    const { failure } = await judge.ask(question, never);
    expect(failure).toMatchObject({ kind: 'nonsense', message: expect.stringContaining(message) });
  });

  test.each<[string, Behaviour]>([
    ['a refused key', fails(401)],
    ['too many requests', fails(429)],
    ['a server at fault', fails(500)],
    ['a broken reply', breaksOff],
    ['a closed connection', hangsUp],
    ['no JSON', malformed],
    ['no completion', wrongSchema],
  ])('%s is an error, and nothing is thrown', async (_, behaviour) => {
    const { judge } = await judging([behaviour]);
    expect((await judge.ask(question, never)).failure?.kind).toBe('error');
  });

  test('tries again after a 429, within its time', async () => {
    const { server, judge } = await judging(
      [fails(429, 'slow down', { 'retry-after-ms': '5' }), replies({ text: YES })],
      { retries: 1 },
    );
    expect((await judge.ask(question, never)).answer).toEqual({ aligned: true });
    expect(server.requests).toHaveLength(2);
  });

  test('waits no longer than its deadline', async () => {
    const { server, judge } = await judging([hangs], { deadlineMs: 60, retries: 3 });
    expect((await judge.ask(question, never)).failure).toEqual({
      kind: 'timeout',
      message: 'no answer within 60 ms',
    });
    expect(await server.requests[0]?.closedByClient).toBe(true);
  });

  test('throws the reason of its caller, and no other', async () => {
    const { judge } = await judging([after(5_000, replies({ text: YES }))]);
    const caller = new AbortController();
    const asked = judge.ask(question, caller.signal);
    setTimeout(() => caller.abort(new Error('enough')), 50);
    await expect(asked).rejects.toThrow('enough');
    await expect(judge.ask(question, caller.signal)).rejects.toThrow('enough');
  });

  test('refuses unknown options at once', () => {
    const options = { baseURL: 'http://127.0.0.1:1/v1', model: 'tiny', deadline: 5 } as ChatJudgeOptions;
    expect(() => chatJudge(options)).toThrow(SetupError);
  });
});
