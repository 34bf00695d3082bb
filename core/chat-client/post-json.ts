import { boundedText } from './bounded-body.js';

export interface JsonServer {
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
}

/** Posts a body to a path below the base URL. */
export type PostJson = (path: string, body: object, signal: AbortSignal) => Promise<unknown>;

/** A reply that is no success. The message is the server's own, where it gives one in a form that is known. */
export class StatusError extends Error {
  readonly status: number;
  readonly headers: Headers;
  /** As OpenAI names it: `insufficient_quota`. */
  readonly code: unknown;

  constructor({ status, headers }: Response, text: string) {
    const body = parsed(text);
    const error = fieldOf(body, 'error') ?? body;
    const message = fieldOf(error, 'message') ?? error ?? text;
    const words = typeof message === 'string' ? message : JSON.stringify(message);
    super(`${status} ${words || 'and nothing else'}`);
    this.name = 'StatusError';
    this.status = status;
    this.headers = headers;
    this.code = fieldOf(error, 'code');
  }
}

/**
 * The whole of what is needed of a client for an OpenAI-compatible server: no retries, time-outs, logs or environment of
 * its own, and no key but the one given.
 *
 * A reply that the server calls JSON is parsed, any other is text.
 * @throws StatusError, SyntaxError, or what `fetch` throws
 */
export function jsonPoster({ baseURL, apiKey }: JsonServer): PostJson {
  const base = baseURL.replace(/\/+$/, '');
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'agentforesight',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  return async (path, body, signal) => {
    const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
    const response = await fetch(`${base}${path}`, request);
    const text = await boundedText(response);
    if (!response.ok) throw new StatusError(response, text);
    if (!isJson(response)) return text;
    return text === '' ? undefined : JSON.parse(text);
  };
}

function isJson({ headers }: Response): boolean {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[field] ?? undefined;
}
