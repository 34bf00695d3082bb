import { z } from 'zod';
import {
  AuditError,
  type ChatClientOptions,
  type ChatReply,
  chatClient,
  chatClientSchema,
  costOf,
  deadlineSchema,
  messageOf,
  type Prices,
  readOptions,
} from '../../core/index.js';
import type { Judge, JudgeFailure, JudgeReply, JudgeUsage, Question } from './judge.js';
import { readAnswer } from './read-answer.js';

const price = z.number().nonnegative();

const optionsSchema = chatClientSchema.extend({
  maxReplyTokens: z.int().min(1).default(2_048),
  deadlineMs: deadlineSchema.default(120_000),
  seed: z.int().nonnegative().optional(),
  prices: z.strictObject({ input: price, cachedInput: price.optional(), output: price }).optional(),
});

export interface ChatJudgeOptions extends ChatClientOptions {
  /** Thoughts and answer together. Default 2,048. An answer that is cut off by it is nonsense. */
  readonly maxReplyTokens?: number | undefined;
  /** For one question, retries and the wait for one of the client's `concurrency` places included. Default 120,000. */
  readonly deadlineMs?: number | undefined;
  /**
   * Sent with each request, plus the question's `sample`, to servers that know it. Part of the judge's name, since other
   * seeds give other answers. Default: none is sent.
   */
  readonly seed?: number | undefined;
  readonly prices?: Prices | undefined;
}

/**
 * A judge that asks a model on any OpenAI-compatible server. Where the server can hold it to JSON, say so with
 * `extraBody: { response_format: { type: 'json_object' } }`.
 * @throws SetupError on an unknown or malformed option
 */
export function chatJudge(options: ChatJudgeOptions): Judge {
  const { maxReplyTokens, deadlineMs, seed, prices, ...clientOptions } = readOptions(
    'chatJudge',
    optionsSchema,
    options,
  );
  const client = chatClient(clientOptions);
  const { model } = clientOptions;

  async function complete(question: Question<unknown>, signal: AbortSignal): Promise<ChatReply> {
    const { system, prompt, sample = 0, temperature = 0 } = question;
    const deadline = new AbortController();
    const expire = () =>
      deadline.abort(new DOMException(`no answer within ${deadlineMs} ms`, 'TimeoutError'));
    const timer = setTimeout(expire, deadlineMs);
    try {
      return await client.complete(
        {
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: prompt },
          ],
          maxTokens: maxReplyTokens,
          temperature,
          fields: seed === undefined ? {} : { seed: seed + sample },
        },
        { signal: AbortSignal.any([signal, deadline.signal]), deadlineAt: performance.now() + deadlineMs },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    name: seed === undefined ? model : `${model} (seed ${seed})`,
    async ask(question, signal) {
      signal.throwIfAborted();
      try {
        const reply = await complete(question, signal);
        return { ...answerOf(reply, question), usage: usageOf(reply, prices) };
      } catch (cause) {
        signal.throwIfAborted();
        return { failure: failureOf(cause) };
      }
    },
  };
}

function answerOf<Answer>(reply: ChatReply, { schema }: Question<Answer>): JudgeReply<Answer> {
  const nonsense = (message: string) => ({ failure: { kind: 'nonsense', message } as const });
  if (reply.refusal !== undefined) return nonsense(`the model refused: ${reply.refusal}`);
  const read = readAnswer(reply.text, schema);
  if (read.failure && reply.finishReason === 'length') return nonsense('the reply was cut off at its limit');
  return read;
}

function usageOf({ usage }: ChatReply, prices: Prices | undefined): JudgeUsage {
  const { inputTokens, outputTokens } = usage;
  const known = inputTokens !== undefined || outputTokens !== undefined;
  return {
    tokens: known ? (inputTokens ?? 0) + (outputTokens ?? 0) : undefined,
    cost: prices && costOf(usage, prices),
  };
}

function failureOf(cause: unknown): JudgeFailure {
  const isLate = cause instanceof AuditError && cause.kind === 'deadline';
  return { kind: isLate ? 'timeout' : 'error', message: messageOf(cause) };
}
