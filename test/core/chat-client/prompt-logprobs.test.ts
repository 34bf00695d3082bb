import { describe, expect, it } from 'vitest';
import { type ChatClientOptions, chatClient } from '../../../core/chat-client.js';
import { failure, KEY } from '../../support/chat-requests.js';
import { type Behaviour, fails, json, replies, usage } from '../../support/model-server/behaviours.js';
import { modelServer } from '../../support/model-server.js';

async function scoring(script: readonly Behaviour[], options: Partial<ChatClientOptions> = {}) {
  const server = await modelServer(
    (_, count) => script[count] ?? fails(500),
    ['/v1/completions', '/v1/chat/completions'],
  );
  const client = chatClient({ baseURL: server.baseURL, model: 'tiny', apiKey: KEY, retries: 1, ...options });
  const asking = { signal: AbortSignal.timeout(20_000) };
  return { server, client, asking };
}

const positions = [
  null,
  {
    '31': { logprob: -2.5, rank: 12, decoded_token: ' sum' },
    '7': { logprob: -0.1, rank: 1, decoded_token: ' the' },
  },
  { '9': { logprob: -0.25, rank: 1, decoded_token: ' is' } },
];
const tokens = [
  { text: '', logprob: undefined },
  { text: ' sum', logprob: -2.5 },
  { text: ' is', logprob: -0.25 },
];

describe('the log-probabilities of a prompt', () => {
  it('are read from vLLM, whichever of its two paths; the token is the prompt’s own, not the likeliest', async () => {
    const { server, client, asking } = await scoring(
      [
        json(200, { choices: [{ text: 'x', prompt_logprobs: positions }], usage: usage(3, 2, 1) }),
        json(200, { choices: [], prompt_logprobs: positions, usage: usage(9, 0, 1) }),
      ],
      { extraBody: { temperature: null, seed: 3 } },
    );
    const counted = { inputTokens: 3, cachedInputTokens: 2, outputTokens: 1 };
    expect(await client.promptLogprobs('a \ud83d sum', 'completions', asking)).toEqual({
      tokens,
      usage: counted,
      attempts: 1,
    });
    expect((await client.promptLogprobs('a sum', 'chat', asking)).tokens).toEqual(tokens);
    const fixed = { model: 'tiny', prompt_logprobs: 1, max_tokens: 1, seed: 3 };
    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/v1/completions', { ...fixed, prompt: 'a \ufffd sum' }],
      ['/v1/chat/completions', { ...fixed, messages: [{ role: 'user', content: 'a sum' }] }],
    ]);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('tell the prompt’s own token from one just as probable', async () => {
    const tied = [
      null,
      {
        '3': { logprob: -0.5, rank: 1, decoded_token: ' the' },
        '4': { logprob: -0.5, rank: 2, decoded_token: ' a' },
      },
    ];
    const { client, asking } = await scoring([json(200, { choices: [{ prompt_logprobs: tied }] })]);
    const { tokens = [] } = await client.promptLogprobs('in a', 'completions', asking);
    expect(tokens.map(({ text }) => text)).toEqual(['', ' a']);
  });

  it('are read from the echo of legacy completions', async () => {
    const logprobs = {
      tokens: ['A', ' sum', '.'],
      token_logprobs: [null, -2.5, -0.5],
      text_offset: [0, 1, 5],
    };
    const { server, client, asking } = await scoring([
      json(200, { choices: [{ text: 'A sum.', logprobs }] }),
    ]);
    expect(await client.promptLogprobs('A sum', 'echo', asking)).toEqual({
      tokens: [
        { text: 'A', logprob: undefined },
        { text: ' sum', logprob: -2.5 },
        { text: '.', logprob: -0.5 },
      ],
      usage: {},
      attempts: 1,
    });
    expect(server.requests[0]?.body).toMatchObject({
      prompt: 'A sum',
      echo: true,
      logprobs: 1,
      max_tokens: 1,
    });
  });

  it.each<[string, Behaviour]>([
    ['nothing of them', replies()],
    [
      'null for them',
      json(200, { choices: [{ prompt_logprobs: null, logprobs: null }], prompt_logprobs: null }),
    ],
    [
      'something else under their name',
      json(200, { choices: [{ prompt_logprobs: 4, logprobs: { content: [] } }], prompt_logprobs: 'no' }),
    ],
  ])('are absent, without a failure, where a server says %s', async (_, behaviour) => {
    const { client, asking } = await scoring([behaviour, behaviour, behaviour]);
    for (const route of ['completions', 'chat', 'echo'] as const)
      expect((await client.promptLogprobs('A', route, asking)).tokens).toBeUndefined();
  });

  it('fail as other requests do: sorted, retried, without the key', async () => {
    const { client, asking } = await scoring([
      fails(503),
      json(200, { choices: [{ prompt_logprobs: positions }] }),
      fails(404, `no ${KEY}`),
    ]);
    expect(await client.promptLogprobs('A', 'completions', asking)).toMatchObject({ attempts: 2 });
    expect(await failure(client.promptLogprobs('A', 'echo', asking))).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('[key]'),
      details: { attempts: 1, status: 404 },
    });
    const { client: broken, asking: again } = await scoring([json(200, '[]'), json(200, '"no"')]);
    expect(await failure(broken.promptLogprobs('A', 'completions', again))).toMatchObject({
      kind: 'unavailable',
    });
  });
});
