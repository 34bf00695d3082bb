/** What {@link within} resolves to when time ran out. */
export const EXPIRED = Symbol('expired');

/** Waits at most `milliseconds`. The work goes on regardless; a rejection after the deadline is swallowed. */
export function within<T>(work: Promise<T>, milliseconds: number): Promise<T | typeof EXPIRED> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, EXPIRED);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
