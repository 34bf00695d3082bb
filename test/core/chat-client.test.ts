import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { ChatFailure } from '../../core/chat-client/chat-failure.js';
import {
  type ChatClientOptions,
  type ChatOptions,
  type ChatReply,
  chatClient,
} from '../../core/chat-client.js';
import {
  after,
  type Behaviour,
  breaksOff,
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
import { modelServer, type SeenChat } from '../support/model-server.js';

const messages = [{ role: 'user', content: 'Is it safe?' }] as const;
const KEY = 'sk-abcdef0123456789';

/** A server with a script, and a client of it. The last behaviour answers whatever comes after the script. */
async function serving(
  script: readonly Behaviour[] | ((seen: SeenChat) => Behaviour),
  options: Partial<ChatClientOptions> = {},
) {
  const server = await modelServer((seen, count) =>
    typeof script === 'function' ? script(seen) : (script[Math.min(count, script.length - 1)] ?? hangs),
  );
  const client = chatClient({ baseURL: server.baseURL, model: 'tiny', apiKey: KEY, ...options });
  const ask = (more: Partial<ChatOptions> = {}): Promise<ChatReply> =>
    client.complete(
      { messages, maxTokens: 5, temperature: 0 },
      { signal: AbortSignal.timeout(20_000), ...more },
    );
  return { server, client, ask };
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it gave a reply'),
    (thrown: unknown) => {
      expect(thrown).toBeInstanceOf(ChatFailure);
      return thrown as ChatFailure;
    },
  );

const within = (milliseconds: number) => ({
  signal: AbortSignal.timeout(milliseconds),
  deadlineAt: performance.now() + milliseconds,
});

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

  it('takes no key from the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-another-server');
    vi.stubEnv('OPENAI_ORG_ID', 'org');
    const { server, ask } = await serving([replies()], { apiKey: undefined });
    await ask();
    vi.unstubAllEnvs();
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
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

  it('long words of a server are cut, and written in one line', async () => {
    const { ask } = await serving([fails(400, `a\u001b[31m\nb${'x'.repeat(10_000)}`)]);
    const { message } = await failure(ask());
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message.length).toBeLessThan(700);
  });
});

describe('retries', () => {
  it('a passing failure is tried again, and every attempt counted', async () => {
    const { ask } = await serving([fails(500), hangsUp, replies()]);
    const sent = vi.fn();
    expect(await ask({ onSent: sent })).toMatchObject({ text: SAFE, attempts: 3 });
    expect(sent).toHaveBeenCalledOnce();
  });

  it('no oftener than they are allowed', async () => {
    const { ask, server } = await serving([fails(500)], { retries: 1 });
    expect(await failure(ask())).toMatchObject({ kind: 'unavailable', details: { attempts: 2 } });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['a bad key', fails(401)],
    ['a bad request', fails(400)],
    ['an account without money', fails(429, 'no money', {}, 'insufficient_quota')],
  ])('not after %s', async (_, behaviour) => {
    const { ask } = await serving([behaviour, replies()]);
    expect((await failure(ask())).details.attempts).toBe(1);
  });

  it.each<[string, () => Record<string, string>, number]>([
    ['seconds', () => ({ 'retry-after': '1' }), 1_000],
    ['an HTTP date', () => ({ 'retry-after': new Date(Date.now() + 2_000).toUTCString() }), 1_000],
    ['milliseconds', () => ({ 'retry-after-ms': '700' }), 700],
  ])('wait as long as Retry-After says, in %s', async (_, headers, least) => {
    const { ask } = await serving([(response) => fails(429, 'wait', headers())(response), replies()]);
    const started = performance.now();
    expect(await ask()).toMatchObject({ attempts: 2 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(least);
    expect(performance.now() - started).toBeLessThan(least + 2_000);
  });

  it('do not wait for a Retry-After beyond the deadline', async () => {
    const { ask } = await serving([fails(429, 'wait', { 'retry-after': '30' }), replies()]);
    const started = performance.now();
    expect(await failure(ask(within(10_000)))).toMatchObject({
      kind: 'rate-limited',
      details: { attempts: 1 },
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('stop sleeping when the request is aborted', async () => {
    const { ask } = await serving([fails(429, 'wait', { 'retry-after': '20' }), replies()]);
    const started = performance.now();
    expect(await failure(ask({ signal: AbortSignal.timeout(800) }))).toMatchObject({
      kind: 'deadline',
      details: { attempts: 1 },
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('an abort', () => {
  it.each<[string, Behaviour]>([
    ['before the reply', hangs],
    ['in the middle of a body', (response) => void response.writeHead(200).write('{"choices"')],
  ])('reaches the socket, %s', async (_, behaviour) => {
    const { server, ask } = await serving([behaviour]);
    const { signal } = within(300);
    expect(await failure(ask({ signal }))).toMatchObject({ kind: 'deadline', details: { attempts: 1 } });
    expect(await server.requests[0]?.closedByClient).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that is no time-out is told apart', async () => {
    const { ask } = await serving([hangs]);
    const controller = new AbortController();
    const asked = failure(ask({ signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('another was quicker')), 100);
    expect(await asked).toMatchObject({ kind: 'threw', message: 'called off: another was quicker' });
  });

  it('before the request makes none', async () => {
    const { server, ask } = await serving([replies()]);
    expect(await failure(ask({ signal: AbortSignal.abort() }))).toMatchObject({ details: { attempts: 0 } });
    expect(server.requests).toHaveLength(0);
  });

  it('no listener is left on a signal that serves many requests', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const { ask } = await serving([after(20, replies())], { concurrency: 4 });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 60 }, () => ask({ signal })));
    await new Promise(setImmediate);
    process.off('warning', warned);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(warned.mock.calls).toEqual([]);
  });
});

describe('the concurrency limit', () => {
  it('holds, in the order of coming', async () => {
    let open = 0;
    let most = 0;
    const { ask, server } = await serving(
      () => async (response) => {
        most = Math.max(most, ++open);
        await after(30, replies())(response);
        open--;
      },
      { concurrency: 3 },
    );
    await Promise.all(Array.from({ length: 12 }, () => ask()));
    expect(server.requests).toHaveLength(12);
    expect(most).toBe(3);
  });

  it('whoever is aborted in the queue leaves it at once, and no place is lost', async () => {
    const { ask, server } = await serving([after(500, replies()), replies()], { concurrency: 1 });
    const first = ask();
    const started = performance.now();
    const waiting = Array.from({ length: 20 }, () => failure(ask({ signal: AbortSignal.timeout(100) })));
    for (const thrown of await Promise.all(waiting)) {
      expect(thrown).toMatchObject({ kind: 'deadline', details: { attempts: 0 } });
    }
    expect(performance.now() - started).toBeLessThan(450);
    expect(await first).toMatchObject({ text: SAFE });
    expect(await ask()).toMatchObject({ text: SAFE });
    expect(server.requests).toHaveLength(2);
  });
});

describe('the circuit breaker', () => {
  const breaker = { failures: 3, cooldownMs: 400 };
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  it.each<[string, Behaviour, number]>([
    ['no service', fails(503), 20_000],
    ['too many requests', fails(429), 20_000],
    ['time-outs', hangs, 150],
  ])(
    'opens after %s in a row, lets one see after a while, and closes when that one is served',
    async (_, bad, patience) => {
      let isDown = true;
      const { ask, server } = await serving(() => (isDown ? bad : after(100, replies())), {
        retries: 0,
        breaker,
      });
      const impatient = () => failure(ask({ signal: AbortSignal.timeout(patience) }));
      for (let i = 0; i < 3; i++) expect((await impatient()).kind).not.toBe('circuit-open');
      expect(await impatient()).toMatchObject({ kind: 'circuit-open', details: { attempts: 0 } });
      expect(server.requests).toHaveLength(3);

      await pause(450);
      expect((await impatient()).kind).not.toBe('circuit-open');
      expect(await impatient()).toMatchObject({ kind: 'circuit-open' });
      expect(server.requests).toHaveLength(4);

      await pause(450);
      isDown = false;
      const probe = ask();
      await pause(20);
      expect(await impatient()).toMatchObject({ kind: 'circuit-open', message: /one request is out to see/ });
      expect(await probe).toMatchObject({ text: SAFE });
      expect(await ask()).toMatchObject({ text: SAFE });
    },
  );

  it.each<[string, Behaviour]>([
    ['a refused key', fails(401)],
    ['refused requests', fails(400)],
  ])('does not open for %s', async (_, behaviour) => {
    const { ask, server } = await serving([behaviour], { retries: 0, breaker });
    for (let i = 0; i < 6; i++) expect((await failure(ask())).kind).not.toBe('circuit-open');
    expect(server.requests).toHaveLength(6);
  });

  it('does not open for requests that were called off', async () => {
    const { ask } = await serving([hangs], { retries: 0, breaker });
    for (let i = 0; i < 6; i++) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('no more')), 30);
      expect(await failure(ask({ signal: controller.signal }))).toMatchObject({ kind: 'threw' });
    }
  });

  it('a request that was made and failed says so, though its retry finds the circuit open', async () => {
    const { ask } = await serving([fails(503, 'down')], { retries: 5, breaker: { failures: 3 } });
    expect(await failure(ask())).toMatchObject({ kind: 'unavailable', details: { attempts: 3 } });
  });
});

it.each<[string, Partial<ChatClientOptions> & Record<string, unknown>, RegExp]>([
  ['a URL that is none', { baseURL: 'localhost' }, /baseURL: expected an http/],
  [
    'a URL with a password',
    { baseURL: 'http://me:secret@host/v1' },
    /baseURL: must hold no user name or password/,
  ],
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
