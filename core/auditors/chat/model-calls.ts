import type { ModelCall } from '../../audit-note.js';
import type { AuditOptions } from '../../auditor.js';
import { ChatFailure } from '../../chat-client/chat-failure.js';
import type { ReplyUsage } from '../../chat-client/read-completion.js';
import type { ChatClient, ChatOptions, ChatReply, ChatRequest } from '../../chat-client.js';

/** Money per million tokens, in a currency of your choice. */
export interface Prices {
  readonly input: number;
  /** Default: as `input`. */
  readonly cachedInput?: number | undefined;
  readonly output: number;
}

/** Asks the model within one audit. Every call is noted with what it took, the failed ones too. */
export type AskModel = (purpose: ModelCall['purpose'], request: ChatRequest) => Promise<ChatReply>;

export interface ModelCallParts {
  readonly client: ChatClient;
  readonly model: string;
  readonly prices?: Prices | undefined;
}

export function askModel({ client, ...called }: ModelCallParts, options: AuditOptions): AskModel {
  return (purpose, request) =>
    noted({ ...called, purpose }, options, (sending) => client.complete(request, sending));
}

export interface NotedCall {
  readonly purpose: ModelCall['purpose'];
  readonly model: string;
  readonly prices?: Prices | undefined;
}

/** Makes one request within an audit, and notes it whatever becomes of it. */
export async function noted<Reply extends { readonly attempts: number; readonly usage: ReplyUsage }>(
  { purpose, model, prices }: NotedCall,
  { note, signal, deadlineAt }: AuditOptions,
  send: (options: ChatOptions) => Promise<Reply>,
): Promise<Reply> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<ModelCall>();
  const conclude = (outcome: Pick<ModelCall, 'attempts' | 'failed'>, usage: ReplyUsage) => {
    const durationMs = performance.now() - started;
    const cost = prices && costOf(usage, prices);
    resolve({ type: 'call', purpose, model, ...outcome, ...usage, cost, durationMs });
  };
  // Promised when the request goes out, so that the run's close waits for it even where the deadline does not.
  const onSent = () => note?.(promise);
  try {
    const reply = await send({ signal, deadlineAt, onSent });
    conclude({ attempts: reply.attempts }, reply.usage);
    return reply;
  } catch (cause) {
    const isChatFailure = cause instanceof ChatFailure;
    const attempts = (isChatFailure && cause.details.attempts) || 1;
    conclude({ attempts, failed: isChatFailure ? cause.kind : 'threw' }, {});
    throw cause;
  }
}

/** Undefined where the server has not told both counts. */
export function costOf({ inputTokens, cachedInputTokens = 0, outputTokens }: ReplyUsage, prices: Prices) {
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const { input, cachedInput = input, output } = prices;
  const fresh = Math.max(0, inputTokens - cachedInputTokens);
  return (fresh * input + cachedInputTokens * cachedInput + outputTokens * output) / 1e6;
}
