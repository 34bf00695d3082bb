/** What {@link within} resolves to when time ran out. */
export const EXPIRED = Symbol('expired');

/** Longest delay that a timer takes; above it, `setTimeout` fires at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** Waits at most `milliseconds`. The work goes on regardless; a rejection after the deadline is swallowed. */
export function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof EXPIRED> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;
    const settled = () => {
      isSettled = true;
      clearTimeout(timer);
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
      if (!isSettled) timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_DELAY), EXPIRED);
    });
  });
}
