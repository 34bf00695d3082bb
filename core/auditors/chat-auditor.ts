import { z } from 'zod';
import type { Auditor } from '../auditor.js';
import {
  badChatOption,
  type ChatClientOptions,
  type ChatMessage,
  type ChatReply,
  type ChatRequest,
  chatClient,
  chatClientSchema,
} from '../chat-client.js';
import type { Schedule } from '../schedule.js';
import { alarmScore, answerOdds } from './chat/answer-odds.js';
import { type AskModel, askModel, type Prices } from './chat/model-calls.js';
import { probe } from './chat/probe.js';
import { reasonedVerdict } from './chat/reasoned-verdict.js';
import { DEFAULT_MAX_REPLY_TOKENS, replyRoom } from './chat/reply-room.js';
import { ServerFeature } from './chat/server-feature.js';
import { voteShare } from './chat/votes.js';
import { appendOnlyLayout } from './prompt/append-only-layout.js';
import type { PromptLayout } from './prompt/prompt-layout.js';

const price = z.number().nonnegative();

const optionsSchema = chatClientSchema.extend({
  layout: z
    .custom<PromptLayout>((value) => typeof (value as PromptLayout | null)?.prompt === 'function', {
      error: 'expected a layout, such as appendOnlyLayout()',
    })
    .optional(),
  maxReplyTokens: z.int().min(1).default(DEFAULT_MAX_REPLY_TOKENS),
  votes: z.int().min(1).max(100).optional(),
  voteTemperature: z.number().positive().max(2).default(0.7),
  probe: z.strictObject({ threshold: z.number().min(0).max(1) }).optional(),
  prices: z.strictObject({ input: price, cachedInput: price.optional(), output: price }).optional(),
  schedule: z
    .custom<Schedule>((value) => typeof (value as Schedule | null)?.due === 'function', {
      error: 'expected an object with a method due()',
    })
    .optional(),
  name: z.string().min(1).default('chat'),
});

export interface ChatAuditorOptions extends ChatClientOptions {
  /**
   * How the prefix is put to the model. Default: `appendOnlyLayout()` with room for the reply. One of your own must leave it
   * too, as `replyTokens`: `maxReplyTokens` and some 256 for the chat template. A server turns away what has no room.
   */
  readonly layout?: PromptLayout | undefined;
  /** Thoughts and answer together. Default 2,048. */
  readonly maxReplyTokens?: number | undefined;
  /** Where log-probabilities give no score: sample so many replies for one. Default: no score then. */
  readonly votes?: number | undefined;
  /** Default 0.7. The verdict itself is greedy. */
  readonly voteTemperature?: number | undefined;
  /** Ask for one token first, and for reasons only where SAFE is less probable than `threshold`, 0 to 1. */
  readonly probe?: { readonly threshold: number } | undefined;
  readonly prices?: Prices | undefined;
  /** Which turns to ask about. Default: the runtime's. */
  readonly schedule?: Schedule | undefined;
  /** Shown in the run log. Default `"chat"`. */
  readonly name?: string | undefined;
}

/**
 * An auditor that asks a model on any OpenAI-compatible server. The score is P(alarm), from the log-probabilities of the
 * reply's tokens where its answer begins.
 *
 * @example
 * chatAuditor({ baseURL: 'http://127.0.0.1:8000/v1', model: 'agentforesight-7b', probe: { threshold: 0.98 } })
 * @throws SetupError on an unknown or malformed option
 */
export function chatAuditor(options: ChatAuditorOptions): Auditor {
  const { success, data, error } = optionsSchema.safeParse(options);
  if (!success) throw badChatOption(error, Object.keys(optionsSchema.shape));
  const {
    maxReplyTokens,
    layout = appendOnlyLayout({ replyTokens: replyRoom(maxReplyTokens) }),
    votes,
    voteTemperature,
    probe: probing,
    prices,
    schedule,
    name,
    ...clientOptions
  } = data;
  const { model } = clientOptions;
  const client = chatClient(clientOptions);
  const logprobs = new ServerFeature();
  const probes = new ServerFeature();

  /** Asks for log-probabilities where there is hope, and else without. */
  async function askScored(
    ask: AskModel,
    purpose: 'verdict' | 'repair',
    request: ChatRequest,
  ): Promise<ChatReply> {
    if (!logprobs.isWorthTrying) return ask(purpose, request);
    try {
      const reply = await ask(purpose, { ...request, topLogprobs: 20 });
      logprobs.works();
      return reply;
    } catch (cause) {
      if (!logprobs.mayExplain(cause)) throw cause;
      const reply = await ask(purpose, request);
      logprobs.isMissing();
      return reply;
    }
  }

  return {
    name,
    ...(schedule ? { schedule } : {}),
    async audit(request, options) {
      const { prefix } = request;
      const { system, body, tail, cut } = layout.prompt(request);
      if (cut) options.note?.({ type: 'cut', ...cut });
      const messages: readonly ChatMessage[] = [
        { role: 'system', content: system },
        { role: 'user', content: body + tail },
      ];
      const ask = askModel({ client, model, prices }, options);

      const isProbed = probing && probes.isWorthTrying && logprobs.isWorthTrying;
      const probed = isProbed ? await probe(ask, messages, probing.threshold, probes) : undefined;
      if (typeof probed === 'object') return probed.verdict;

      const asked = { maxTokens: maxReplyTokens, temperature: 0 };
      const { verdict, untilValue, reply } = await reasonedVerdict(
        (purpose, said) => askScored(ask, purpose, { ...asked, messages: said }),
        messages,
        prefix,
      );
      if (probed === 'refused') probes.isMissing();

      const odds = reply.tokens && answerOdds(reply.tokens, untilValue);
      const sample = { ...asked, messages, fields: { temperature: voteTemperature } };
      const score = (odds && alarmScore(odds)) ?? (votes && (await voteShare(ask, sample, votes, prefix)));
      return score === undefined ? verdict : { ...verdict, score };
    },
  };
}
