import { duration, whole } from './figures.js';

const BAR_WIDTH = 20;
const SHOWN_EVERY_MS = 200;

export interface ProgressOptions {
  /** Whether nothing else is printed meanwhile. */
  readonly isAlone?: boolean | undefined;
  /** With it there is a bar, and an estimate of the time left. */
  readonly total?: number | undefined;
  /** What was done before: it says nothing of the speed. */
  readonly from?: number | undefined;
}

/** A count that updates in place on stderr, for people only: nothing is written where stderr is no terminal. */
export class Progress {
  readonly #what: string;
  readonly #isAlone: boolean;
  readonly #total: number | undefined;
  readonly #from: number;
  readonly #started = performance.now();
  #done: number;
  #shownAt = 0;

  constructor(what: string, { isAlone = false, total, from = 0 }: ProgressOptions = {}) {
    this.#what = what;
    this.#isAlone = isAlone;
    this.#total = total;
    this.#from = from;
    this.#done = from;
  }

  advance(): void {
    this.show(this.#done + 1);
  }

  /** @param done in all @param note what else is to be told, such as `12 dropped` */
  show(done: number, note = ''): void {
    this.#done = done;
    const now = performance.now();
    // With output on the same terminal, a counter between its lines would only be in the way.
    const isInTheWay = process.stdout.isTTY && !this.#isAlone;
    if (!process.stderr.isTTY || isInTheWay || now - this.#shownAt < SHOWN_EVERY_MS) return;
    this.#shownAt = now;
    const line = progressLine(this.#what, {
      done,
      total: this.#total,
      from: this.#from,
      ms: now - this.#started,
    });
    process.stderr.write(`\r${line}${note && `, ${note}`} \x1b[K`);
  }

  end(): void {
    if (this.#shownAt > 0) process.stderr.write('\r\x1b[K');
  }
}

interface Moment {
  readonly done: number;
  readonly total: number | undefined;
  readonly from: number;
  readonly ms: number;
}

/** `1,204 runs audited, 310/s`, or `filter ████████░░░░ 1,204 of 2,276, 310/s, 3.5 s left` */
export function progressLine(what: string, { done, total, from, ms }: Moment): string {
  const perMs = (done - from) / ms;
  const rate = `${whole(perMs * 1_000)}/s`;
  if (total === undefined) return `${whole(done)} ${what}, ${rate}`;
  const filled = total === 0 ? BAR_WIDTH : Math.floor((BAR_WIDTH * Math.min(done, total)) / total);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const left = perMs > 0 ? `, ${duration((total - done) / perMs)} left` : '';
  return `${what} ${bar} ${whole(done)} of ${whole(total)}, ${rate}${left}`;
}
