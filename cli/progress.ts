/** A count that updates in place on stderr, for people only: nothing is written where stderr is no terminal. */
export class Progress {
  readonly #what: string;
  readonly #isAlone: boolean;
  readonly #started = performance.now();
  #done = 0;
  #shownAt = 0;

  /** @param isAlone whether nothing else is printed meanwhile */
  constructor(what: string, { isAlone = false } = {}) {
    this.#what = what;
    this.#isAlone = isAlone;
  }

  advance(): void {
    this.#done++;
    const now = performance.now();
    // With output on the same terminal, a counter between its lines would only be in the way.
    const isInTheWay = process.stdout.isTTY && !this.#isAlone;
    if (!process.stderr.isTTY || isInTheWay || now - this.#shownAt < 200) return;
    this.#shownAt = now;
    const perSecond = Math.round((this.#done / (now - this.#started)) * 1000);
    process.stderr.write(`\r${this.#done.toLocaleString('en')} ${this.#what}, ${perSecond}/s `);
  }

  end(): void {
    if (this.#shownAt > 0) process.stderr.write('\r\x1b[K');
  }
}
