import { isAgentTurn, type Prefix, type PromptToken, type Turn } from '../../../core/index.js';

/** Mean negative log-probability per token, in nats. */
export interface Surprise {
  readonly newest: number;
  /** Mean of those of the agents' turns before it that are shown whole or shortened; absent where there is none. */
  readonly earlier?: number | undefined;
}

/**
 * How surprising the newest turn is, read from the tokens of an append-only prompt. Turns are found by how their lines
 * begin, which no agent can write: quotes within a JSON string have a backslash. Positions would not do, since servers spell
 * half a character in ways of their own. What counts is what the agent wrote, not who it is and which step.
 * @returns undefined where the tokens do not spell the prompt, or the turn has no token with a log-probability
 */
export function turnSurprise(tokens: readonly PromptToken[], prefix: Prefix): Surprise | undefined {
  const prompt = new SpelledPrompt(tokens);
  const newest = prompt.surpriseOf(prefix.newest);
  if (newest === undefined) return undefined;
  const before = [...prefix].slice(0, -1).filter(isAgentTurn);
  const earlier = before.map((turn) => prompt.surpriseOf(turn)).filter((one) => one !== undefined);
  return { newest, earlier: earlier.length === 0 ? undefined : mean(earlier) };
}

class SpelledPrompt {
  readonly #text: string;
  readonly #tokens: readonly PromptToken[];
  /** Where each token ends in the text. */
  readonly #ends: readonly number[];

  constructor(tokens: readonly PromptToken[]) {
    let end = 0;
    this.#tokens = tokens;
    this.#text = tokens.map(({ text }) => text).join('');
    this.#ends = tokens.map(({ text }) => (end += text.length));
  }

  surpriseOf({ index, kind }: Turn): number | undefined {
    const line = this.#text.indexOf(`\n{"step":${index},"agent":"`);
    if (line === -1) return undefined;
    const end = this.#text.indexOf('\n', line + 1);
    const head = `"kind":"${kind}",`;
    const start = this.#text.indexOf(head, line) + head.length;
    const isDigest = this.#text.startsWith('"digest"', start);
    if (start < line || end === -1 || start > end || isDigest) return undefined;
    const logprobs = this.#tokens
      .filter((_, at) => (this.#ends[at - 1] ?? 0) >= start && (this.#ends[at - 1] ?? 0) < end)
      .flatMap(({ logprob }) => logprob ?? []);
    // Some servers write a logarithm a little above 0.
    return logprobs.length === 0 ? undefined : Math.max(0, -mean(logprobs));
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
