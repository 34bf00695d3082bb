/** What {@link within} resolves to when time ran out. */
export const EXPIRED = Symbol('expired');

/** Longest delay that a timer takes; above it, `setTimeout` fires at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Waits at most `milliseconds`, and no longer than until `signal` is aborted. The work goes on regardless; a rejection
 * after that is swallowed.
 */
export function within<T>(
  work: Promise<T>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<T | typeof EXPIRED> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;
    const settled = () => {
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', expire);
    };
    const expire = () => {
      settled();
      resolve(EXPIRED);
    };
    work.then(
      (value) => {
        settled();
        resolve(value);
      },
      (cause) => {
        settled();
        reject(cause);
      },
    );
    // Work that is done already has settled by then, and needs no timer.
    void Promise.resolve().then(() => {
      if (isSettled) return;
      if (signal?.aborted) return expire();
      signal?.addEventListener('abort', expire);
      if (milliseconds !== Number.POSITIVE_INFINITY)
        timer = setTimeout(expire, Math.min(milliseconds, LONGEST_DELAY));
    });
  });
}
