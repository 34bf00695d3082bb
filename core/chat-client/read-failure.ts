import { ChatFailure } from './chat-failure.js';
import { StatusError } from './post-json.js';
import { readRetryAfter } from './retry-delay.js';

/** Characters of a server's own words that are passed on. */
const LONGEST_MESSAGE = 500;

export interface FailureSource {
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
}

/** Sorts what a request throws. No word of the key is passed on, though servers quote it in their messages. */
export function failureReader({ baseURL, apiKey }: FailureSource): (cause: unknown) => ChatFailure {
  const { host } = new URL(baseURL);
  const told = (cause: unknown) => {
    const text = deepestMessage(cause);
    const scrubbed = writtenForms(apiKey).reduce((rest, form) => rest.replaceAll(form, '[key]'), text);
    return scrubbed.slice(0, LONGEST_MESSAGE).replace(/\p{Cc}+/gu, ' ');
  };
  return (cause) => {
    if (!(cause instanceof StatusError)) {
      return new ChatFailure('unavailable', `no reply from ${host}: ${told(cause)}`, { isPassing: true });
    }
    const { status } = cause;
    const words = `${host} answered ${told(cause)}`;
    const retryAfterMs = readRetryAfter(cause.headers);
    if (status === 401 || status === 403) {
      return new ChatFailure('auth', `${words}. Check apiKey, and that it may use the model`, { status });
    }
    if (status === 429) {
      // OpenAI says so of an account without money.
      const isPassing = cause.code !== 'insufficient_quota';
      return new ChatFailure('rate-limited', words, { status, retryAfterMs, isPassing });
    }
    if (status >= 500 || status === 408) {
      return new ChatFailure('unavailable', words, { status, retryAfterMs, isPassing: true });
    }
    return new ChatFailure('refused', words, { status });
  };
}

/** The key as a message may quote it: as it is, within JSON text, or within a URL. */
function writtenForms(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
}

/** `fetch failed` says nothing; what it was caused by does: `connect ECONNREFUSED …`. */
function deepestMessage(cause: unknown): string {
  let deepest = cause;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  if (!(deepest instanceof Error)) return String(deepest);
  // The engine's own message quotes the body.
  if (deepest instanceof SyntaxError) return 'the reply is malformed JSON';
  if (deepest.message !== '') return deepest.message;
  return 'code' in deepest ? String(deepest.code) : deepest.name;
}
