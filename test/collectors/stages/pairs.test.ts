import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { budgetedSampler } from '../../../collectors/pairs/budgeted-sampler.js';
import { cachedSampler } from '../../../collectors/pairs/cached-sampler.js';
import {
  type ChatPolicySamplerOptions,
  chatPolicySampler,
  type PolicySampler,
} from '../../../collectors/pairs/policy-sampler.js';
import { ReplyCache } from '../../../collectors/pairs/reply-cache.js';
import type { Sample } from '../../../collectors/sample.js';
import { type PairsOptions, pairsStage } from '../../../collectors/stages/pairs.js';
import { appendOnlyLayout, chatClient, type PromptLayout, publishedLayout } from '../../../core/index.js';
import {
  after,
  alarmReply,
  type Behaviour,
  fails,
  hangs,
  replies,
  SAFE,
} from '../../support/model-server/behaviours.js';
import { modelServer, type SeenChat } from '../../support/model-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runStage } from '../support/run-stage.js';
import { sampleOf } from '../support/samples.js';
import { unsafeSample } from '../support/unsafe-sample.js';

const RIGHT = alarmReply(2, 'adder');
const LATE = alarmReply(1, 'adder');
const NONSENSE = 'I think it is fine.';

/** A server whose reply to number n of a prompt is entry n of its script; what shows step 2 is the prompt `at` the error. */
async function policy(
  script: {
    readonly before?: readonly (string | Behaviour)[];
    readonly at?: readonly (string | Behaviour)[];
  },
  options: Partial<ChatPolicySamplerOptions> = {},
) {
  const server = await modelServer((request) => {
    const { before = [SAFE], at = [RIGHT] } = script;
    const replied = (showsError(request) ? at : before)[Number(request.body['seed'])] ?? SAFE;
    return typeof replied === 'string' ? replies({ text: replied }) : replied;
  });
  const client = chatClient({ baseURL: server.baseURL, model: 'base', retries: 0 });
  return { server, sampler: chatPolicySampler({ client, name: 'base', ...options }) };
}

const showsError = ({ body }: SeenChat) => body.messages[1]?.content.includes('2 + 2 = 5') ?? false;

const pairsOf = (sampler: PolicySampler, samples: readonly Sample[], options: Partial<PairsOptions> = {}) =>
  runStage(pairsStage({ sampler, replies: 4, ...options }), samples);

const told = (run: Awaited<ReturnType<typeof pairsOf>>) =>
  run.decisions.map(({ rule, verdict, reason }) => `${rule} ${verdict}: ${reason}`);

describe('pairsStage', () => {
  test('the nth right reply and the nth other one make a pair, for both prompts', async () => {
    const { sampler, server } = await policy({
      before: [SAFE, LATE, SAFE, NONSENSE],
      at: [LATE, RIGHT, SAFE, alarmReply(2, 'user')],
    });
    const run = await pairsOf(sampler, [unsafeSample('a')]);
    const pairs = run.samples[0]?.pairs ?? [];
    expect(pairs.map(({ kind, step, chosen, rejected }) => [kind, step, chosen, rejected])).toEqual([
      ['before', 1, SAFE, LATE],
      ['before', 1, SAFE, NONSENSE],
      ['at', 2, RIGHT, LATE],
    ]);
    expect(pairs[0]?.prompt).toEqual(server.requests.find((one) => !showsError(one))?.body.messages);
    expect(pairs[2]?.prompt).toEqual(server.requests.find(showsError)?.body.messages);
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toMatch(/THE (REASON|ANSWER)/);
    expect(run.decisions.map(({ rule, evidence }) => [rule, evidence])).toEqual([
      ['pairs-before', { step: 1, replies: 4, right: 2, wrong: 1, invalid: 1, pairs: 2 }],
      ['pairs-at', { step: 2, replies: 4, right: 1, wrong: 3, invalid: 0, pairs: 1 }],
    ]);
  });

  test('replies are drawn at temperature 1, each with a seed of its own', async () => {
    const { sampler, server } = await policy({}, { seed: 5, fields: { top_k: -1 } });
    await pairsOf(sampler, [unsafeSample('a')]);
    const seeds = server.requests.filter(showsError).map(({ body }) => body['seed']);
    expect(seeds.toSorted()).toEqual([5, 6, 7, 8]);
    expect(server.requests[0]?.body).toMatchObject({ temperature: 1, top_p: 1, top_k: -1, max_tokens: 1024 });
  });

  test('prompts without a pair are told: all right, all wrong, nothing before step 0', async () => {
    const { sampler } = await policy({ before: [SAFE, SAFE, SAFE, SAFE], at: [LATE, SAFE, NONSENSE, LATE] });
    const run = await pairsOf(sampler, [unsafeSample('a')]);
    expect(told(run)).toEqual(['pairs-before drop: all right', 'pairs-at drop: all wrong']);
    expect(run.samples[0]?.pairs).toEqual([]);
    expect(told(await pairsOf(sampler, [unsafeSample('b', 0)]))[0]).toBe(
      'pairs-before drop: the first step has no prefix before it',
    );
  });

  test('replies without a verdict can be left out, and empty ones always are', async () => {
    const { sampler } = await policy({ at: [RIGHT, NONSENSE, '', RIGHT] });
    const pairsWith = async (invalid: 'reject' | 'ignore') =>
      (await pairsOf(sampler, [unsafeSample('a')], { invalid })).samples[0]?.pairs ?? [];
    expect((await pairsWith('reject')).map(({ rejected }) => rejected)).toEqual([NONSENSE]);
    expect(await pairsWith('ignore')).toEqual([]);
  });

  test('a name in a longer form is the same agent', async () => {
    const { sampler } = await policy({ at: [alarmReply(2, 'adder (thought)'), SAFE] });
    const turns = unsafeSample('a').turns.map((turn) =>
      turn.agent === 'adder' ? { ...turn, agent: 'adder (thought)' } : turn,
    );
    const [sample] = (await pairsOf(sampler, [unsafeSample('a', 2, { turns })])).samples;
    expect(sample?.pairs?.map(({ chosen }) => chosen)).toEqual([alarmReply(2, 'adder (thought)')]);
  });

  test('nobody is asked about safe, unlabelled and held out runs', async () => {
    const { sampler, server } = await policy({});
    const samples = [
      sampleOf('safe', { label: { kind: 'safe' } }),
      sampleOf('unlabelled'),
      unsafeSample('tested', 2, { split: 'test' }),
    ];
    expect((await pairsOf(sampler, samples)).samples).toEqual(samples);
    expect(server.requests).toEqual([]);
  });

  test('a failed request leaves the run waiting; what was drawn already is not drawn again', async () => {
    const script = {
      before: [SAFE, LATE, SAFE, LATE],
      at: [RIGHT, LATE, fails(500), LATE] as (string | Behaviour)[],
    };
    const { sampler, server } = await policy(script);
    const file = join(temporaryFolder(), 'replies.jsonl');
    const cache = new ReplyCache(file);
    const failed = await pairsOf(cachedSampler(sampler, cache), [unsafeSample('a')]);
    expect(failed.samples).toEqual([]);
    expect(told(failed)).toEqual([
      'pairs-before keep: right and other replies',
      'pairs-at undecided: a request failed',
    ]);
    expect(failed.decisions[1]?.evidence).toMatchObject({ failed: 1, kind: 'error' });

    script.at[2] = LATE;
    const again = new ReplyCache(file);
    const retried = await pairsOf(cachedSampler(sampler, again), [unsafeSample('a')]);
    expect(retried.samples[0]?.pairs).toHaveLength(3);
    expect(server.requests).toHaveLength(9);
    const third = await pairsOf(cachedSampler(sampler, again), [unsafeSample('a')]);
    expect(third.samples).toEqual(retried.samples);
    expect(server.requests).toHaveLength(9);
  });

  test('another model, other parameters and another prompt are drawn anew', async () => {
    const { sampler, server } = await policy({});
    const cache = new ReplyCache(join(temporaryFolder(), 'replies.jsonl'));
    const variants = [
      sampler,
      { ...sampler, name: 'other' },
      { ...sampler, parameters: { temperature: 0.5 } },
    ];
    for (const variant of variants) await pairsOf(cachedSampler(variant, cache), [unsafeSample('a')]);
    expect(server.requests).toHaveLength(24);
    await pairsOf(cachedSampler(sampler, cache), [unsafeSample('b')]);
    expect(server.requests).toHaveLength(32);
  });

  test('when the budget is spent nobody is asked, and the runs wait', async () => {
    const { sampler, server } = await policy({});
    const byCalls = await pairsOf(budgetedSampler(sampler, { calls: 8 }), [
      unsafeSample('a'),
      unsafeSample('b'),
    ]);
    expect(server.requests).toHaveLength(8);
    expect(byCalls.samples).toHaveLength(1);
    expect(byCalls.decisions.filter(({ verdict }) => verdict === 'undecided')).toHaveLength(2);
    expect(byCalls.decisions.at(-1)?.evidence).toMatchObject({
      failed: 4,
      kind: 'budget',
      message: '8 calls are spent',
    });
    // Each reply of the server is 12 tokens.
    const byTokens = budgetedSampler(sampler, { tokens: 96 });
    await pairsOf(byTokens, [unsafeSample('c')]);
    const spent = await pairsOf(byTokens, [unsafeSample('d')]);
    expect(spent.decisions[0]?.evidence).toMatchObject({ message: '96 of 96 tokens are spent' });
  });

  test('a server that hangs is a time-out; one that is slow is not', async () => {
    const { sampler } = await policy({ at: [hangs], before: [after(50, replies())] }, { deadlineMs: 1_000 });
    const { decisions } = await pairsOf(sampler, [unsafeSample('a')]);
    expect(decisions.map(({ verdict }) => verdict)).toEqual(['drop', 'undecided']);
    expect(decisions[1]?.evidence).toMatchObject({
      failed: 1,
      kind: 'timeout',
      message: 'no reply within 1000 ms',
    });
  });

  test('the deadline does not run while a request waits for its turn', async () => {
    const slow = after(300, replies());
    const server = await modelServer(() => slow);
    const client = chatClient({ baseURL: server.baseURL, model: 'base', retries: 0, concurrency: 1 });
    const sampler = chatPolicySampler({ client, name: 'base', deadlineMs: 900 });
    const { decisions } = await pairsOf(sampler, [unsafeSample('a')], { replies: 2 });
    expect(decisions.map(({ reason }) => reason)).toEqual(['all right', 'all wrong']);
  });

  test('its options tell samplers and layouts apart', () => {
    const sampler: PolicySampler = { name: 'base', parameters: {}, sample: async () => ({ reply: '' }) };
    const optionsOf = (layout?: PromptLayout) => JSON.stringify(pairsStage({ sampler, layout }).options);
    const all = [undefined, publishedLayout(), appendOnlyLayout({ turnTokens: 300 })].map(optionsOf);
    expect(new Set(all).size).toBe(3);
    expect(optionsOf(appendOnlyLayout())).toBe(all[0]);
    const other = pairsStage({ sampler: { ...sampler, parameters: { seed: 1 } } }).options;
    expect(JSON.stringify(other)).not.toBe(all[0]);
  });

  test("an abort is thrown, as the caller's own reason", async () => {
    const { sampler } = await policy({ at: [hangs] });
    const stopping = new AbortController();
    const work = runStage(pairsStage({ sampler }), [unsafeSample('a')], stopping);
    const reason = new Error('stop');
    setTimeout(() => stopping.abort(reason), 50);
    await expect(work).rejects.toBe(reason);
  });

  test('a prompt of one reply has no pair', async () => {
    const { sampler } = await policy({});
    expect(() => pairsStage({ sampler, replies: 1 })).toThrow('[agentforesight] [pairs]');
  });
});
