import type { Replay, Replayer, ReplayRequest } from '../../core/index.js';

/** Nobody waits any longer for the run: its graph or one of its tools hangs, or hears no signal. */
export interface Overdue {
  readonly overdue: string;
}

/**
 * Replays, and gives up after `deadlineMs`. The replayer is told by its signal; what it does after that is not waited for.
 * @throws the signal's reason
 */
export async function replayInTime(
  replayer: Replayer,
  request: ReplayRequest,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Replay | Overdue> {
  const late = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  const { promise, resolve } = Promise.withResolvers<'ended'>();
  const end = () => resolve('ended');
  either.addEventListener('abort', end, { once: true });
  const timer = setTimeout(() => late.abort(new DOMException('too late', 'TimeoutError')), deadlineMs);
  try {
    signal.throwIfAborted();
    const replay = replayer.replay(request, either).catch((cause: unknown) => {
      if (late.signal.aborted) return 'ended' as const;
      throw cause;
    });
    const result = await Promise.race([replay, promise]);
    signal.throwIfAborted();
    return result === 'ended' ? { overdue: `no end within ${deadlineMs} ms` } : result;
  } finally {
    clearTimeout(timer);
    either.removeEventListener('abort', end);
  }
}
