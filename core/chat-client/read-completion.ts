import { z } from 'zod';

const count = z.int().nonnegative().optional().catch(undefined);

/** A wrong usage spoils the metering, not the reply. */
export const usageSchema = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined)
  .transform(
    (usage): ReplyUsage => ({
      inputTokens: usage?.prompt_tokens,
      cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens,
      outputTokens: usage?.completion_tokens,
    }),
  );

/** What wrong log-probabilities spoil is the score, not the reply. */
const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
        logprobs: z
          .object({
            content: z.array(
              // The alternatives of some thousand tokens; only those of one or two are ever looked at.
              z.looseObject({ token: z.string(), bytes: z.array(z.int().min(0).max(255)).nullish() }),
            ),
          })
          .nullish()
          .catch(undefined),
      }),
    )
    .min(1),
  usage: usageSchema,
});

/** One token of a reply, as `logprobs.content` tells it. `bytes` where the token may be part of a character. */
export interface ReplyToken {
  readonly token: string;
  readonly bytes?: readonly number[] | null | undefined;
  readonly [more: string]: unknown;
}

/** As the server counts them; `inputTokens` includes the cached ones. */
export interface ReplyUsage {
  readonly inputTokens?: number | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

export interface Completion {
  readonly text: string;
  /** The server's own words, where the model would not answer. */
  readonly refusal?: string | undefined;
  /** `stop`, `length`, `content_filter`, …; absent where the server says nothing. */
  readonly finishReason?: string | undefined;
  readonly tokens?: readonly ReplyToken[] | undefined;
  readonly usage: ReplyUsage;
}

/**
 * Reads the first choice of a chat completion: an object, JSON text, or the text of a stream, which some servers send
 * unasked.
 * @throws Error saying what is wrong with it
 */
export function readCompletion(body: unknown): Completion {
  const { success, data, error } = completionSchema.safeParse(parsed(body));
  if (!success) {
    const [issue] = error.issues;
    throw new Error(`the reply is no chat completion: ${issue?.path.join('.') || 'body'}: ${issue?.message}`);
  }
  const [choice] = data.choices;
  return {
    text: choice?.message.content ?? '',
    refusal: choice?.message.refusal || undefined,
    finishReason: choice?.finish_reason ?? undefined,
    tokens: choice?.logprobs?.content.length ? choice.logprobs.content : undefined,
    usage: data.usage,
  };
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  return /^\s*(data|event|id|:)/.test(body) ? assembled(body) : JSON.parse(body);
}

const chunkSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }).optional(),
        finish_reason: z.string().nullish(),
        logprobs: z.looseObject({ content: z.array(z.unknown()).nullish() }).nullish(),
      }),
    )
    .default([]),
  usage: z.unknown().optional(),
});

/** The completion that a stream of `data:` lines adds up to. */
function assembled(stream: string): unknown {
  const message = { content: '', refusal: '' };
  const tokens: unknown[] = [];
  let finish_reason: string | undefined;
  let usage: unknown;
  // Not `^…$`, for which a line separator within the reply's text would begin a line too.
  for (const line of stream.split(/\r\n|\n|\r/)) {
    if (!line.startsWith('data:')) continue;
    const data = line.slice('data:'.length).trim();
    if (data === '[DONE]') break;
    const chunk = readChunk(JSON.parse(data));
    const [choice] = chunk.choices;
    message.content += choice?.delta?.content ?? '';
    message.refusal += choice?.delta?.refusal ?? '';
    tokens.push(...(choice?.logprobs?.content ?? []));
    finish_reason = choice?.finish_reason ?? finish_reason;
    usage = chunk.usage ?? usage;
  }
  if (finish_reason === undefined) throw new Error('the stream ended before the reply did');
  const logprobs = tokens.length === 0 ? undefined : { content: tokens };
  return { choices: [{ message, finish_reason, logprobs }], usage };
}

function readChunk(value: unknown): z.infer<typeof chunkSchema> {
  const { success, data, error } = chunkSchema.safeParse(value);
  if (success) return data;
  throw new Error(
    `a part of the stream is none: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`,
  );
}
