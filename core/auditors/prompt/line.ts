import type { CountTokens } from './count-tokens.js';
import { mostTokens, tokensOf } from './fit-tokens.js';

/** A line of the prompt, and what of its turn it does not show. */
export interface Line {
  readonly text: string;
  readonly tokens: number;
  /** At least `tokens`, and known without counting. */
  readonly mostTokens: number;
  /** Tokens of the turn that are not shown. */
  readonly leftOut: number;
}

/** Counts its tokens when it is asked for them: most prompts are so far below their limit that nobody asks. */
export class CountedLine implements Line {
  readonly text: string;
  readonly leftOut: number;
  readonly mostTokens: number;
  readonly #count: CountTokens;
  #tokens: number | undefined;

  /** @param tokens where they are known */
  constructor(text: string, count: CountTokens, leftOut = 0, tokens?: number) {
    this.text = text;
    this.leftOut = leftOut;
    this.mostTokens = tokens ?? mostTokens(text, count);
    this.#count = count;
    this.#tokens = tokens;
  }

  get tokens(): number {
    this.#tokens ??= tokensOf(this.text, this.#count);
    return this.#tokens;
  }
}

/** Whether a line has so many tokens at most; counted only where its length leaves that open. */
export function fits(line: Line, limit: number): boolean {
  return line.mostTokens <= limit || line.tokens <= limit;
}
