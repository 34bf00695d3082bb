import { encodeTokens, type Prompt } from '../../../core/index.js';

/**
 * `o200k_base` never joins a line feed with what follows it, but for white space and slashes. So the tokens of these pieces,
 * one after another, are exactly the tokens of the whole, and each is encoded once however many prompts hold it.
 */
const BOUNDARY = /(?<=\n)(?=[^\s/])/;

/** Encodes prompts that have most of their lines in common. */
export class LineTokens {
  readonly #known = new Map<string, readonly number[]>();

  /** System message and user message, without what a model's chat template would put around them. */
  of({ system, body, tail }: Prompt): Int32Array {
    const pieces = [system, ...(body + tail).split(BOUNDARY)].map((piece) => this.#piece(piece));
    const tokens = new Int32Array(pieces.reduce((total, { length }) => total + length, 0));
    let end = 0;
    for (const piece of pieces) {
      tokens.set(piece, end);
      end += piece.length;
    }
    return tokens;
  }

  #piece(text: string): readonly number[] {
    const known = this.#known.get(text);
    if (known) return known;
    const tokens = encodeTokens(text);
    this.#known.set(text, tokens);
    return tokens;
  }
}

/** The tokens of a prompt, encoded as a whole. */
export function wholeTokens({ system, body, tail }: Prompt): Int32Array {
  return Int32Array.from([...encodeTokens(system), ...encodeTokens(body + tail)]);
}
