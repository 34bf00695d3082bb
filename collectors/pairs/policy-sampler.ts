import {
  AuditError,
  type ChatClient,
  type ChatMessage,
  type JsonValue,
  messageOf,
} from '../../core/index.js';
import type { JudgeFailure } from '../judge/judge.js';

export type SampledReply =
  | {
      readonly reply: string;
      /** Of the prompt and the reply together, as far as the server says. */
      readonly tokens?: number | undefined;
      readonly failure?: undefined;
    }
  | { readonly reply?: undefined; readonly failure: JudgeFailure };

/** Draws replies of the model that is to be trained. A failure is an answer, too: only the signal's reason is thrown. */
export interface PolicySampler {
  /** The model, as manifests name it. */
  readonly name: string;
  /** All that its replies depend on besides model and prompt. */
  readonly parameters: JsonValue;
  /** @param number 0-based: which of several replies to the same prompt it is */
  sample(prompt: readonly ChatMessage[], number: number, signal: AbortSignal): Promise<SampledReply>;
}

export interface ChatPolicySamplerOptions {
  readonly client: ChatClient;
  /** The model's name, and whatever tells it from others of that name. */
  readonly name: string;
  /** Default: 1, with `top_p` 1: the model's own distribution. */
  readonly temperature?: number | undefined;
  /** Default: 1,024. */
  readonly maxTokens?: number | undefined;
  /** The reply with number n is drawn with `seed + n`. Default: 0. */
  readonly seed?: number | undefined;
  /** More fields of each request, or other values for `top_p` and `seed`; `null` takes a field out. */
  readonly fields?: Readonly<Record<string, JsonValue>> | undefined;
  /** Longest wait for one reply from when it is asked for, retries included. Default: 300,000. */
  readonly deadlineMs?: number | undefined;
}

/** Samples from an OpenAI-compatible server, such as `vllm serve`. How many requests are under way at once, the client says. */
export function chatPolicySampler(options: ChatPolicySamplerOptions): PolicySampler {
  const { client, name, temperature = 1, maxTokens = 1_024, seed = 0, deadlineMs = 300_000 } = options;
  const fields = { top_p: 1, ...options.fields };
  return {
    name,
    parameters: { temperature, maxTokens, seed, fields },
    async sample(messages, number, signal) {
      const request = new AbortController();
      const abort = () => request.abort(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      let timer: NodeJS.Timeout | undefined;
      // Waiting for a place among the client's requests is not waiting for the server.
      const onSent = () => {
        timer = setTimeout(() => request.abort(lateAfter(deadlineMs)), deadlineMs);
      };
      try {
        signal.throwIfAborted();
        const drawn = { messages, maxTokens, temperature, fields: { seed: seed + number, ...fields } };
        const { text, usage } = await client.complete(drawn, { signal: request.signal, onSent });
        return { reply: text, tokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) };
      } catch (cause) {
        signal.throwIfAborted();
        const isLate = cause instanceof AuditError && cause.kind === 'deadline';
        return { failure: { kind: isLate ? 'timeout' : 'error', message: messageOf(cause) } };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

function lateAfter(milliseconds: number): DOMException {
  return new DOMException(`no reply within ${milliseconds} ms`, 'TimeoutError');
}
