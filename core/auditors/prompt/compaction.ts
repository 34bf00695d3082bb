import type { Turn } from '../../turn.js';
import type { CountTokens } from './count-tokens.js';
import { jsonLine } from './json-line.js';
import type { Line } from './turn-line.js';

/** A turn with its line, and the shorter line that takes its place when it is compacted. */
export interface Rendered {
  readonly turn: Turn;
  readonly line: Line;
  /** Made when it is needed, once. */
  readonly digest: () => Line;
}

/**
 * Lines of turns within a budget of tokens. Turns are only ever added, until the budget is spent: then the oldest are
 * compacted at once until half of it is free. So the text of one turn is the beginning of the next one's, but for the rare
 * compaction, and what all compactions together rewrite is less than the turns themselves. A function of the turns
 * added, in their order: nothing else decides what is compacted, or when.
 */
export class CompactedLines {
  readonly #budget: number;
  readonly #count: CountTokens;
  readonly #turns: Rendered[] = [];
  /** Where the digests begin: all before it stands in one line together. */
  #digested = 0;
  /** Where the whole turns begin. */
  #whole = 0;
  #merged: Line = { text: '', tokens: 0, leftOut: 0 };
  #digestTokens = 0;
  #wholeTokens = 0;

  constructor(budget: number, count: CountTokens) {
    this.#budget = budget;
    this.#count = count;
  }

  add(turn: Rendered): void {
    this.#turns.push(turn);
    this.#wholeTokens += turn.line.tokens;
    if (this.tokens > this.#budget) this.#compact();
  }

  get tokens(): number {
    return this.#merged.tokens + this.#digestTokens + this.#wholeTokens;
  }

  #compact(): void {
    const newest = this.#turns.length - 1;
    while (this.tokens > this.#budget / 2 && this.#whole < newest) {
      const { line, digest } = this.#turns[this.#whole++] as Rendered;
      this.#wholeTokens -= line.tokens;
      this.#digestTokens += digest().tokens;
      this.#merge();
    }
  }

  /** Digests must not crowd out the turns themselves: the oldest go into one line. */
  #merge(): void {
    if (this.#digestTokens <= this.#budget / 4) return;
    let leftOut = this.#merged.leftOut;
    while (this.#digestTokens > this.#budget / 8 && this.#digested < this.#whole) {
      const { line, digest } = this.#turns[this.#digested++] as Rendered;
      this.#digestTokens -= digest().tokens;
      leftOut += line.tokens + line.leftOut;
    }
    const [first, last] = [this.#turns[0], this.#turns[this.#digested - 1]].map((one) => one?.turn.index);
    const text = jsonLine({ steps: `${first}-${last}`, leftOut });
    this.#merged = { text, tokens: this.#count(text), leftOut };
  }

  text(): string {
    const digests = this.#turns.slice(this.#digested, this.#whole).map(({ digest }) => digest().text);
    const whole = this.#turns.slice(this.#whole).map(({ line }) => line.text);
    return this.#merged.text + digests.join('') + whole.join('');
  }

  /** The turns that are shortened or left out, and the tokens of them that are not shown. */
  cut(): { turns: number; tokens: number } {
    const shown = [
      ...this.#turns.slice(this.#digested, this.#whole).map(({ digest }) => digest()),
      ...this.#turns.slice(this.#whole).map(({ line }) => line),
    ].filter(({ leftOut }) => leftOut > 0);
    return {
      turns: this.#digested + shown.length,
      tokens: shown.reduce((total, { leftOut }) => total + leftOut, this.#merged.leftOut),
    };
  }
}
