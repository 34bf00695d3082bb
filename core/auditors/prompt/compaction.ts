import type { Turn } from '../../turn.js';
import type { CountTokens } from './count-tokens.js';
import { jsonLine } from './json-line.js';
import { CountedLine, type Line } from './line.js';

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
  readonly #room: number;
  readonly #opening: readonly Line[];
  readonly #count: CountTokens;
  /** What is left of the room for the turns, once tokens are counted. Until then the lines are too short to need it. */
  #budget: number | undefined;
  #mostTokens: number;
  readonly #turns: Rendered[] = [];
  /** Where the digests begin: all before it stands in one line together. */
  #digested = 0;
  /** Where the whole turns begin. */
  #whole = 0;
  #merged: Line | undefined;
  #digestTokens = 0;
  #wholeTokens = 0;

  /** @param opening stands before the turns, and is never shortened @param room tokens of both together */
  constructor(room: number, opening: readonly Line[], count: CountTokens) {
    this.#room = room;
    this.#opening = opening;
    this.#count = count;
    this.#mostTokens = opening.reduce((total, line) => total + line.mostTokens, 0);
  }

  add(turn: Rendered): void {
    this.#turns.push(turn);
    if (this.#budget === undefined) {
      this.#mostTokens += turn.line.mostTokens;
      if (this.#mostTokens <= this.#room) return;
      this.#budget = this.#room - tokensIn(this.#opening);
      this.#wholeTokens = tokensIn(this.#turns.map(({ line }) => line));
    } else this.#wholeTokens += turn.line.tokens;
    if (this.#turnTokens > this.#budget) this.#compact(this.#budget);
  }

  /** Of opening and turns. */
  get tokens(): number {
    const isCounted = this.#budget !== undefined;
    const turns = isCounted ? this.#turnTokens : tokensIn(this.#turns.map(({ line }) => line));
    return tokensIn(this.#opening) + turns;
  }

  get #turnTokens(): number {
    return (this.#merged?.tokens ?? 0) + this.#digestTokens + this.#wholeTokens;
  }

  #compact(budget: number): void {
    const newest = this.#turns.length - 1;
    while (this.#turnTokens > budget / 2 && this.#whole < newest) {
      const { line, digest } = this.#turns[this.#whole++] as Rendered;
      this.#wholeTokens -= line.tokens;
      this.#digestTokens += digest().tokens;
      this.#merge(budget);
    }
  }

  /** Digests must not crowd out the turns themselves: the oldest go into one line. */
  #merge(budget: number): void {
    if (this.#digestTokens <= budget / 4) return;
    let leftOut = this.#merged?.leftOut ?? 0;
    while (this.#digestTokens > budget / 8 && this.#digested < this.#whole) {
      const { line, digest } = this.#turns[this.#digested++] as Rendered;
      this.#digestTokens -= digest().tokens;
      leftOut += line.tokens + line.leftOut;
    }
    const [first, last] = [this.#turns[0], this.#turns[this.#digested - 1]].map((one) => one?.turn.index);
    const text = jsonLine({ steps: `${first}-${last}`, leftOut });
    this.#merged = new CountedLine(text, this.#count, leftOut);
  }

  text(): string {
    const digests = this.#turns.slice(this.#digested, this.#whole).map(({ digest }) => digest().text);
    const whole = this.#turns.slice(this.#whole).map(({ line }) => line.text);
    return (this.#merged?.text ?? '') + digests.join('') + whole.join('');
  }

  /** The turns that are shortened or left out, and the tokens of them that are not shown. */
  cut(): { turns: number; tokens: number } {
    const shown = [
      ...this.#turns.slice(this.#digested, this.#whole).map(({ digest }) => digest()),
      ...this.#turns.slice(this.#whole).map(({ line }) => line),
    ].filter(({ leftOut }) => leftOut > 0);
    return {
      turns: this.#digested + shown.length,
      tokens: shown.reduce((total, { leftOut }) => total + leftOut, this.#merged?.leftOut ?? 0),
    };
  }
}

function tokensIn(lines: readonly Line[]): number {
  return lines.reduce((total, { tokens }) => total + tokens, 0);
}
