import { InputError, messageOf } from '../../core/index.js';

/** Without a byte for so long, nothing more is expected. Milliseconds. */
const LONGEST_SILENCE = 30_000;
const MOST_REDIRECTS = 5;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Why a server gave nothing. Trying again may help. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';
  /** Whether the same request may yet succeed. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** To be called in any case: it lets the connection go. */
  close(): Promise<void>;
}

/**
 * GETs bytes as they are stored: never compressed, whose ranges would count otherwise. Follows redirects, each of which
 * must be as safe as {@link requireSafe} demands.
 * @param from the first byte wanted
 * @throws RequestFault; the signal's reason
 */
export async function request(url: string, from: number, signal: AbortSignal): Promise<Answer> {
  const silence = new Silence();
  const stop = AbortSignal.any([signal, silence.signal]);
  const headers = { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) };
  try {
    const answer = await orFault(signal, () => followed(requireSafe(url), { headers, signal: stop }));
    return {
      status: answer.status,
      headers: answer.headers,
      chunks: chunksOf(answer, signal, silence),
      async close() {
        silence.end();
        await answer.body?.cancel().catch(() => {}); // It is broken already; what broke it was thrown.
      },
    };
  } catch (error) {
    silence.end();
    throw error;
  }
}

async function followed(url: URL, init: RequestInit): Promise<Response> {
  let at = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await fetch(at, { ...init, redirect: 'manual' });
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status > 399 || location === null) return answer;
    await answer.body?.cancel();
    at = redirected(at, location);
  }
  throw new RequestFault(`more than ${MOST_REDIRECTS} redirects`, false);
}

/**
 * Checksums tell what was tampered with; encryption keeps to oneself what is fetched.
 * @throws InputError for all but https, and http on this machine
 */
export function requireSafe(address: string): URL {
  const url = URL.parse(address);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url;
  throw new InputError({ file: address }, 'is no https:// address', 'Give one, or http:// on localhost');
}

/** Nobody far away leads to a server on this machine, and nothing leads away from encryption. */
function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  const isLocal = to?.protocol === 'http:' && from.protocol === 'http:' && to.host === from.host;
  if (to && (to.protocol === 'https:' || isLocal)) return to;
  throw new RequestFault(`a redirect to ${location.slice(0, 200)}, which is not https`, false);
}

async function* chunksOf(
  answer: Response,
  signal: AbortSignal,
  silence: Silence,
): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  while (reader) {
    const { done, value } = await orFault(signal, () => reader.read());
    if (done) return;
    silence.broken();
    yield value;
  }
}

async function orFault<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestFault || error instanceof InputError) throw error;
    const cause = (error as Error).cause ?? error;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
    throw new RequestFault(code ?? messageOf(cause), true, { cause: error });
  }
}

/** Aborts when nothing has come for too long. */
class Silence {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  readonly #timer = setTimeout(
    () => this.#controller.abort(new Error(`nothing came for ${LONGEST_SILENCE / 1_000} s`)),
    LONGEST_SILENCE,
  );

  broken(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
