import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { type ChatClientOptions, chatClient } from '../../core/chat-client.js';
import { failure, KEY, messages, serving } from '../support/chat-requests.js';
import {
  type Behaviour,
  breaksOff,
  completion,
  fails,
  floods,
  hangs,
  hangsUp,
  json,
  malformed,
  replies,
  SAFE,
  streams,
  usage,
  wrongSchema,
} from '../support/model-server/behaviours.js';

describe('a request', () => {
  it('goes out as it is meant, with the key, and comes back read', async () => {
    const { server, client } = await serving([replies({ usage: usage(100, 80, 7), text: 'hello' })], {
      extraBody: { top_k: 1, temperature: null },
    });
    const sent = vi.fn();
    const reply = await client.complete(
      { messages, maxTokens: 5, temperature: 0, topLogprobs: 20, fields: { seed: 3 } },
      { signal: AbortSignal.timeout(20_000), onSent: sent },
    );
    expect(reply).toEqual({
      text: 'hello',
      finishReason: 'stop',
      attempts: 1,
      usage: { inputTokens: 100, cachedInputTokens: 80, outputTokens: 7 },
    });
    expect(sent).toHaveBeenCalledOnce();
    expect(server.requests[0]?.body).toEqual({
      model: 'tiny',
      messages,
      max_tokens: 5,
      logprobs: true,
      top_logprobs: 20,
      top_k: 1,
      seed: 3,
    });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('is well-formed, whatever an agent has cut in half', async () => {
    const { server, client } = await serving([replies()]);
    await client.complete(
      { messages: [{ role: 'user', content: 'half \ud83d of it' }], maxTokens: 5, temperature: 0 },
      { signal: AbortSignal.timeout(20_000) },
    );
    expect(server.requests[0]?.body.messages[0]?.content).toBe('half \ufffd of it');
  });

  it.each([
    ['no key', undefined, undefined],
    ['another key', KEY, `Bearer ${KEY}`],
  ])('takes no key from the environment, given %s', async (_, apiKey, authorization) => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-another-server');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'Authorization: Bearer sk-of-another-server');
    vi.stubEnv('OPENAI_ORG_ID', 'org');
    const { server, ask } = await serving([replies()], { apiKey });
    await ask();
    vi.unstubAllEnvs();
    expect(server.requests[0]?.headers.authorization).toBe(authorization);
    expect(server.requests[0]?.headers).not.toHaveProperty('openai-organization');
  });

  it('survives a server that streams unasked, and a reply without usage', async () => {
    const tokens = [{ token: 'a', logprob: -1 }];
    const text = `one\n\ndata: two\u2028data: {"choices":[]} — é`;
    const { ask } = await serving([
      streams({ text, tokens }),
      streams({ usage: usage(3, 0, 2) }),
      replies({ usage: null }),
    ]);
    expect(await ask()).toEqual({ text, finishReason: 'stop', tokens, usage: {}, attempts: 1 });
    expect((await ask()).usage).toEqual({ inputTokens: 3, cachedInputTokens: 0, outputTokens: 2 });
    expect(await ask()).toMatchObject({ text: SAFE, usage: {} });
  });

  it('is answered by a server that compresses, and by one that has moved', async () => {
    const text = gzipSync(JSON.stringify(completion({ text: 'folded' })));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const elsewhere = await serving([replies({ text: 'moved' })]);
    const { ask } = await serving([
      (response) => void response.writeHead(200, headers).end(text),
      (response) =>
        void response.writeHead(307, { location: `${elsewhere.server.baseURL}/chat/completions` }).end(),
    ]);
    expect(await ask()).toMatchObject({ text: 'folded' });
    expect(await ask()).toMatchObject({ text: 'moved' });
    // Another origin is another server: the key is not for it.
    expect(elsewhere.server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('may ask for a stream', async () => {
    const { server, ask } = await serving([streams({ usage: usage(3, 0, 2) })], {
      extraBody: { stream: true, stream_options: { include_usage: true } },
    });
    expect(await ask()).toMatchObject({ text: SAFE, usage: { inputTokens: 3 } });
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it.each([
    ['usage of the wrong kind', { usage: { prompt_tokens: 'many', completion_tokens: -1 } }],
    ['tokens of the wrong kind', { tokens: [{ no: 'token' }] }],
  ])('is answered in spite of %s', async (_, scripted) => {
    const { ask } = await serving([replies(scripted)]);
    expect(await ask()).toMatchObject({ text: SAFE, attempts: 1 });
  });
});

describe('a failure is sorted', () => {
  it.each<[string, Behaviour, string, RegExp]>([
    ['401', fails(401, `Incorrect API key provided: ${KEY}`), 'auth', /401.*\[key\].*Check apiKey/],
    ['403', fails(403, 'not your model'), 'auth', /403 not your model. Check apiKey/],
    ['429', fails(429, 'slow down'), 'rate-limited', /429 slow down/],
    ['500', fails(500, 'oops'), 'unavailable', /500 oops/],
    ['503', fails(503), 'unavailable', /503/],
    ['400', fails(400, 'context too long'), 'refused', /400 context too long/],
    ['404', fails(404, 'no such model'), 'refused', /404 no such model/],
    ['a connection that breaks off', breaksOff, 'unavailable', /no reply from 127/],
    ['a server that hangs up', hangsUp, 'unavailable', /no reply from 127/],
    ['malformed JSON', malformed, 'unavailable', /malformed JSON/],
    ['something else than a completion', wrongSchema, 'unavailable', /no chat completion: choices/],
    [
      'an error that calls itself a success',
      json(200, { error: { message: KEY } }),
      'unavailable',
      /no chat comp/,
    ],
    ['a page', (response) => void response.end('<html>'), 'unavailable', /malformed JSON/],
    ['nothing at all', json(200, ''), 'unavailable', /no chat completion/],
    [
      'half a stream',
      (r) => void r.end('data: {"choices":[{"delta":{"content":"<answer>"}}]}\n'),
      'unavailable',
      /stream ended/,
    ],
  ])('%s', async (_, behaviour, kind, message) => {
    const { ask, server } = await serving([behaviour], { retries: 0 });
    const thrown = await failure(ask());
    expect(thrown).toMatchObject({ kind, name: 'ChatFailure', details: { attempts: 1 } });
    expect(thrown.message).toMatch(message);
    expect(server.requests).toHaveLength(1);
    expect(`${thrown.stack} ${JSON.stringify(thrown)} ${thrown.cause}`).not.toContain(KEY);
  });

  it.each<[string, string, (key: string) => object]>([
    ['in JSON text', 'sk-"quoted\\0123456789', (key) => ({ error: { code: 1, got: `Bearer ${key}` } })],
    [
      'in a URL',
      'c2stYWJj+ZGVm/Z2hp==',
      (key) => ({ error: { message: `?key=${encodeURIComponent(key)}` } }),
    ],
  ])('without the key, though it is quoted %s', async (_, apiKey, body) => {
    const { ask } = await serving([json(400, body(apiKey))], { apiKey });
    const { message } = await failure(ask());
    expect(message).toContain('[key]');
    expect(message).not.toMatch(/0123456789|Z2hp/);
  });

  it('no server there', async () => {
    const { server, ask } = await serving([hangs], { retries: 0 });
    await server.close();
    expect(await failure(ask())).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('a body without an end is given up, and its connection closed, before it fills the memory', async () => {
    const { server, ask } = await serving([floods], { retries: 0 });
    const before = process.memoryUsage().rss;
    expect(await failure(ask())).toMatchObject({ kind: 'unavailable', message: /more than \d+ bytes/ });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
    expect(await server.requests[0]?.closedByClient).toBe(true);
  });

  it('a compressed body is no shorter than what it unfolds to', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20, ' '));
    const headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': bomb.length,
    };
    const { ask } = await serving([(response) => void response.writeHead(200, headers).end(bomb)], {
      retries: 0,
    });
    expect(await failure(ask())).toMatchObject({ kind: 'unavailable', message: /more than \d+ bytes/ });
  });

  it('long words of a server are cut, and written in one line', async () => {
    const { ask } = await serving([fails(400, `a\u001b[31m\nb${'x'.repeat(10_000)}`)]);
    const { message } = await failure(ask());
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message.length).toBeLessThan(700);
  });
});

it.each<[string, Partial<ChatClientOptions> & Record<string, unknown>, RegExp]>([
  ['a URL that is none', { baseURL: 'localhost' }, /baseURL: expected an http/],
  [
    'a URL with a password',
    { baseURL: `http://me:${KEY}@host/v1` },
    /baseURL: must hold no user name, password/,
  ],
  ['a URL with a password alone', { baseURL: `http://:${KEY}@host/v1` }, /baseURL: must hold no user name/],
  ['a URL with a query', { baseURL: `http://host/v1?api-key=${KEY}` }, /baseURL: .*query/],
  ['a URL with a fragment', { baseURL: `http://host/v1#${KEY}` }, /baseURL: .*fragment/],
  ['no model', { model: '' }, /model/],
  ['a key with a line end', { apiKey: `${KEY}\n` }, /apiKey: expected visible ASCII/],
  ['a key from an unset variable', { apiKey: '' }, /apiKey: .*leave it out/],
  ['an unknown option', { timeout: 3 }, /there is no option timeout. Options are baseURL, model/],
  ['no places', { concurrency: 0 }, /concurrency/],
])('%s is a set-up fault, told at once', (_, options, message) => {
  const make = () => chatClient({ baseURL: 'http://127.0.0.1:1/v1', model: 'tiny', ...options });
  expect(make).toThrow(message);
  expect(make).toThrow(/^\[agentforesight\] \[chat\]/);
  expect(make).not.toThrow(KEY);
});
