import { setTimeout as sleep } from 'node:timers/promises';
import { abortFailure, ChatFailure } from './chat-failure.js';
import { retryDelay } from './retry-delay.js';

export interface RetryOptions {
  readonly retries: number;
  /** Its abort ends the sleep between two attempts, which cockatiel's retry would sleep out. */
  readonly signal: AbortSignal;
  /** In milliseconds of `performance.now()`. */
  readonly deadlineAt?: number | undefined;
}

/** Tries again after a failure that may pass, while there are retries and time left. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { retries, signal, deadlineAt }: RetryOptions,
): Promise<Result> {
  let last: ChatFailure | undefined;
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (cause) {
      if (!(cause instanceof ChatFailure)) throw cause;
      // The circuit has opened since; but this request was made, and failed by itself.
      if (cause.kind === 'circuit-open' && last) throw last;
      const left = deadlineAt === undefined ? undefined : deadlineAt - performance.now();
      const delay = cause.details.isPassing && retry < retries ? retryDelay(cause, retry, left) : undefined;
      if (delay === undefined) throw cause;
      last = cause;
      await sleep(delay, undefined, { signal }).catch(() => {
        throw abortFailure(signal);
      });
    }
  }
}
