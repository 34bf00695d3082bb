import { z } from 'zod';
import { type ReplyUsage, usageSchema } from './read-completion.js';

/** One token of a prompt, and its log-probability given all before it; the first one has none. */
export interface PromptToken {
  readonly text: string;
  readonly logprob: number | undefined;
}

export interface ReadPrompt {
  /** Absent where the server answers, but without them. */
  readonly tokens?: readonly PromptToken[] | undefined;
  readonly usage: ReplyUsage;
}

/**
 * How a server is asked for the log-probabilities of a prompt:
 * - `completions`: vLLM's `prompt_logprobs`, of the text as it is.
 * - `chat`: the same at `/chat/completions`; the text stands in a user message, within the model's chat template.
 * - `echo`: the legacy `/completions` with `echo` and `logprobs`, which vLLM, SGLang and others have.
 */
export type PromptLogprobsRoute = 'completions' | 'chat' | 'echo';

interface Route {
  readonly path: string;
  /** Beside model, length and temperature. */
  fields(text: string): object;
  readonly reply: z.ZodType<ReadPrompt>;
}

const number = z.number().nullish();

/** By the token's id, which tells no order: JSON objects with such keys are sorted when they are read. */
const positionSchema = z
  .record(z.string(), z.object({ logprob: z.number(), rank: number, decoded_token: z.string().nullish() }))
  .nullable()
  .transform((alternatives): PromptToken => {
    // Asked for one alternative, the server gives the likeliest token and the prompt's own, or one that is both.
    const [own] = Object.values(alternatives ?? {}).toSorted(
      (one, other) => (other.rank ?? 0) - (one.rank ?? 0) || one.logprob - other.logprob,
    );
    return { text: own?.decoded_token ?? '', logprob: own?.logprob };
  });

/** Other shapes are of servers that mean something else by the field. */
const positionsSchema = z.array(positionSchema).nullish().catch(undefined);

const echoSchema = z
  .object({ tokens: z.array(z.string()), token_logprobs: z.array(number) })
  .nullish()
  .catch(undefined);

export const promptLogprobsRoutes: Readonly<Record<PromptLogprobsRoute, Route>> = {
  completions: {
    path: '/completions',
    fields: (prompt) => ({ prompt, prompt_logprobs: 1 }),
    reply: z
      .object({ choices: z.array(z.object({ prompt_logprobs: positionsSchema })).min(1), usage: usageSchema })
      .transform(({ choices, usage }) => ({ tokens: choices[0]?.prompt_logprobs ?? undefined, usage })),
  },
  chat: {
    path: '/chat/completions',
    fields: (content) => ({ messages: [{ role: 'user', content }], prompt_logprobs: 1 }),
    reply: z
      .object({ prompt_logprobs: positionsSchema, usage: usageSchema })
      .transform(({ prompt_logprobs, usage }) => ({ tokens: prompt_logprobs ?? undefined, usage })),
  },
  echo: {
    path: '/completions',
    fields: (prompt) => ({ prompt, echo: true, logprobs: 1 }),
    reply: z
      .object({ choices: z.array(z.object({ logprobs: echoSchema })).min(1), usage: usageSchema })
      .transform(({ choices, usage }) => {
        const { tokens, token_logprobs = [] } = choices[0]?.logprobs ?? {};
        return {
          tokens: tokens?.map((text, at) => ({ text, logprob: token_logprobs[at] ?? undefined })),
          usage,
        };
      }),
  },
};

/** @throws Error saying what is wrong with the reply */
export function readPromptLogprobs(route: PromptLogprobsRoute, reply: unknown): ReadPrompt {
  const { success, data, error } = promptLogprobsRoutes[route].reply.safeParse(reply);
  if (success) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') || 'body';
  throw new Error(`the reply has no log-probabilities that can be read: ${place}: ${issue?.message}`);
}
