import { z } from 'zod';
import { abortFailure, ChatFailure } from './chat-client/chat-failure.js';
import { ConcurrencyLimit } from './chat-client/concurrency-limit.js';
import { jsonPoster } from './chat-client/post-json.js';
import {
  type PromptLogprobsRoute,
  promptLogprobsRoutes,
  type ReadPrompt,
  readPromptLogprobs,
} from './chat-client/prompt-logprobs.js';
import { type Completion, readCompletion } from './chat-client/read-completion.js';
import { failureReader } from './chat-client/read-failure.js';
import { withRetries } from './chat-client/with-retries.js';
import { SetupError } from './errors.js';
import type { JsonValue } from './json.js';

export const chatClientSchema = z.strictObject({
  baseURL: z
    .url({ protocol: /^https?$/, error: 'expected an http(s) URL, such as http://127.0.0.1:8000/v1' })
    .refine((url) => !URL.canParse(url) || namesPlaceOnly(new URL(url)), {
      error: 'must hold no user name, password, query or fragment',
    }),
  model: z.string().min(1),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters only; leave it out where none is needed')
    .optional(),
  extraBody: z.record(z.string(), z.json()).default({}),
  retries: z.int().min(0).max(10).default(2),
  concurrency: z.int().min(1).default(16),
  breaker: z
    .strictObject({ failures: z.int().min(1).default(10), cooldownMs: z.number().positive().default(10_000) })
    .prefault({}),
});

export interface ChatClientOptions {
  /** Of any OpenAI-compatible server, up to and with its `/v1`. */
  readonly baseURL: string;
  readonly model: string;
  /** Sent as bearer token. Never taken from the environment: the server may be anybody's. Default: none. */
  readonly apiKey?: string | undefined;
  /** More fields of every request, or other values for them; `null` takes a field out. */
  readonly extraBody?: Readonly<Record<string, JsonValue>> | undefined;
  /** Further attempts after a passing failure: 429, 5xx, no connection, a broken body. Default 2. */
  readonly retries?: number | undefined;
  /** Requests under way at once; the others queue. Default 16. */
  readonly concurrency?: number | undefined;
  /** After `failures` (10) failed requests in a row nobody is asked for `cooldownMs` (10,000). */
  readonly breaker?:
    | { readonly failures?: number | undefined; readonly cooldownMs?: number | undefined }
    | undefined;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  readonly temperature: number;
  /** Ask for the log-probabilities of the reply's tokens and of so many alternatives to each. */
  readonly topLogprobs?: number | undefined;
  /** Fields of this request alone; they stand above the client's `extraBody`. */
  readonly fields?: Readonly<Record<string, JsonValue>> | undefined;
}

export interface ChatOptions {
  /** Its abort ends whatever the request is doing: waiting, sleeping, or reading from its socket. */
  readonly signal: AbortSignal;
  /** When the signal will be aborted, in milliseconds of `performance.now()`, so as not to sleep past it. */
  readonly deadlineAt?: number | undefined;
  /** Called when the first HTTP request is made: from here on the call costs. */
  readonly onSent?: (() => void) | undefined;
}

export interface ChatReply extends Completion {
  /** HTTP requests made: 1, and one more for each retry. */
  readonly attempts: number;
}

/** Asks a chat model. */
export interface ChatClient {
  /** @throws ChatFailure, an AuditError whose kind says why there is no reply */
  complete(request: ChatRequest, options: ChatOptions): Promise<ChatReply>;
}

export interface ScoredPrompt extends ReadPrompt {
  /** HTTP requests made: 1, and one more for each retry. */
  readonly attempts: number;
}

/** Tells how probable a model finds a text. Not every server can; there is no way that all of those know. */
export interface PromptScorer {
  /** @throws ChatFailure */
  promptLogprobs(text: string, route: PromptLogprobsRoute, options: ChatOptions): Promise<ScoredPrompt>;
}

/** @throws SetupError on an unknown or malformed option */
export function chatClient(options: ChatClientOptions): ChatClient & PromptScorer {
  const { success, data, error } = chatClientSchema.safeParse(options);
  if (!success) throw badChatOption(error);
  const { model, extraBody, retries } = data;
  const limit = new ConcurrencyLimit(data.concurrency);
  const readFailure = failureReader(data);
  const post = jsonPoster(data);
  // Its package takes a moment to load. That begins now, and nobody waits for it who makes no request.
  const loading = import('./chat-client/circuit.js').then(({ circuit }) => circuit(data.breaker));
  loading.catch(() => {});

  async function send<Reply>({ path, body, read }: Sent<Reply>, signal: AbortSignal) {
    // `fetch` leaves listeners on the signal that it is given, which may outlive this request.
    const request = new AbortController();
    const abort = () => request.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return read(await post(path, body, request.signal));
    } catch (cause) {
      throw signal.aborted ? abortFailure(signal) : readFailure(cause);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async function ask<Reply>(sent: Sent<Reply>, { signal, deadlineAt, onSent }: ChatOptions) {
    const circuit = await loading;
    let attempts = 0;
    const attempt = () => {
      circuit.check();
      return limit.run(signal, () =>
        circuit.run(() => {
          if (++attempts === 1) onSent?.();
          return send(sent, signal);
        }),
      );
    };
    try {
      const reply = await withRetries(attempt, { retries, signal, deadlineAt });
      return { ...reply, attempts };
    } catch (cause) {
      throw cause instanceof ChatFailure ? cause.after(attempts) : cause;
    }
  }

  return {
    async complete({ messages, maxTokens, temperature, topLogprobs, fields }, options) {
      const logprobs = topLogprobs === undefined ? {} : { logprobs: true, top_logprobs: topLogprobs };
      const body = withoutNulls({
        model,
        // Half a surrogate pair is JSON to us, and a fault of their own to some servers.
        messages: messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
        max_tokens: maxTokens,
        temperature,
        ...logprobs,
        ...extraBody,
        ...fields,
      });
      return ask({ path: '/chat/completions', body, read: readCompletion }, options);
    },
    async promptLogprobs(text, route, options) {
      const { path, fields } = promptLogprobsRoutes[route];
      // No server may be asked for no token at all.
      const fixed = { model, ...fields(text.toWellFormed()), max_tokens: 1, temperature: 0 };
      const body = withoutNulls({ ...fixed, ...extraBody });
      return ask({ path, body, read: (reply) => readPromptLogprobs(route, reply) }, options);
    },
  };
}

interface Sent<Reply> {
  readonly path: string;
  readonly body: object;
  /** @throws Error */
  read(reply: unknown): Reply;
}

/** Paths are put after it, and errors quote it: a key in its query would be sent nowhere, and told everyone. */
function namesPlaceOnly({ username, password, search, hash }: URL): boolean {
  return username + password + search + hash === '';
}

function withoutNulls(body: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** @internal For the auditor, whose options hold the client's. */
export function badChatOption(error: z.ZodError, known = Object.keys(chatClientSchema.shape)): SetupError {
  const [issue] = error.issues;
  const place = issue?.path.length ? issue.path.join('.') : 'the options';
  const what =
    issue?.code === 'unrecognized_keys'
      ? `there is no option ${issue.keys.join(', ')}`
      : `${place}: ${issue?.message}`;
  return new SetupError('chat', what, `Options are ${known.join(', ')}`, { cause: error });
}
