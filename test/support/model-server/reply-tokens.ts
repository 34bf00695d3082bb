/** Probabilities of what may stand at one token, the token itself included. */
export type Alternatives = Readonly<Record<string, number>>;

/** `logprobs.content` for tokens that are given with their probabilities, or without for certain ones. */
export function replyTokens(parts: readonly (string | readonly [string, Alternatives])[]): object[] {
  return parts.map((part) => {
    const [token, alternatives] = typeof part === 'string' ? [part, { [part]: 1 }] : part;
    const top = Object.entries(alternatives).map(([text, probability]) => entry(text, probability));
    return { ...entry(token, alternatives[token] ?? 0.01), top_logprobs: top };
  });
}

function entry(token: string, probability: number) {
  return { token, logprob: Math.log(probability), bytes: [...Buffer.from(token)] };
}
