import { z } from 'zod';
import type { ReplyToken } from '../../chat-client/read-completion.js';

/** How probable the model found the two kinds of answer at the place of its value. What is neither is left out. */
export interface AnswerOdds {
  readonly safe: number;
  readonly alarm: number;
}

/** Below this the model was about to write something else, and the rest says little. */
const LEAST_DECIDED = 0.5;

/** P(alarm), given that the answer is one of the two kinds; nothing where that was improbable. */
export function alarmScore({ safe, alarm }: AnswerOdds): number | undefined {
  const decided = safe + alarm;
  return decided < LEAST_DECIDED ? undefined : Math.min(1, alarm / decided);
}

const alternativeSchema = z.object({
  token: z.string(),
  logprob: z.number(),
  bytes: z.array(z.int().min(0).max(255)).nullish(),
});
const choiceSchema = alternativeSchema.extend({
  top_logprobs: z.array(alternativeSchema).nullish(),
});

/**
 * The odds at the value that follows `untilValue` where that stands last in the tokens.
 * @param untilValue empty for tokens that begin with the value
 */
export function answerOdds(tokens: readonly ReplyToken[], untilValue: string): AnswerOdds | undefined {
  const start = valueStart(tokens, untilValue);
  if (!start) return undefined;
  const odds = { safe: 0, alarm: 0 };
  let { lead } = start;
  /** Probability of the white space that was written before the value. */
  let path = 1;
  for (const token of tokens.slice(start.index)) {
    const { success, data: chosen } = choiceSchema.safeParse(token);
    if (!success) return undefined;
    const all = (chosen.top_logprobs ?? []).filter((other) => textOf(other) !== textOf(chosen));
    const rests = new Map([chosen, ...all].map((one) => [one, restOf(textOf(one), lead)]));
    const merged = [...rests.values()].filter((rest) => rest !== undefined);
    for (const [one, rest] of rests) {
      const isPath = one === chosen && rest !== undefined && isSpace(rest) && token !== tokens.at(-1);
      const kind = rest === undefined || isPath ? undefined : kindOf(rest, merged);
      if (kind) odds[kind] += path * probability(one);
    }
    const rest = rests.get(chosen);
    if (rest === undefined || !isSpace(rest)) break;
    path *= probability(chosen);
    lead = '';
  }
  return odds;
}

/** Some servers write a logarithm a little above 0; one far above would make the score no number at all. */
function probability({ logprob }: { readonly logprob: number }): number {
  return Math.min(1, Math.exp(logprob));
}

/**
 * A digit begins a step, a quote `"SAFE"`. White space alone is undecided, with one exception: most tokenizers have a
 * token for space and quote together, and none for space and digit. Where the former is a choice, a space alone leads to
 * a digit; without this, the whole of P(alarm) would go unseen in every reply that says SAFE.
 */
function kindOf(rest: string, others: readonly string[]): keyof AnswerOdds | undefined {
  if (isSpace(rest)) return others.some((other) => other.startsWith(`${rest}"`)) ? 'alarm' : undefined;
  const value = rest.trimStart();
  if (/^\d/.test(value)) return 'alarm';
  return value !== '' && '"SAFE'.startsWith(value.slice(0, '"SAFE'.length)) ? 'safe' : undefined;
}

const isSpace = (text: string) => /^[ \t\r\n]+$/.test(text);

function restOf(text: string, lead: string): string | undefined {
  return text.startsWith(lead) ? text.slice(lead.length) : undefined;
}

/** The token with the first byte after the colon, and what of it stands before that byte. */
function valueStart(tokens: readonly ReplyToken[], untilValue: string) {
  const texts = tokens.map(textOf);
  const before = latin1(untilValue);
  const found = before === '' ? 0 : texts.join('').lastIndexOf(before);
  if (found === -1) return undefined;
  const at = found + before.length;
  let begin = 0;
  for (const [index, text] of texts.entries()) {
    if (at < begin + text.length) return { index, lead: text.slice(0, at - begin) };
    begin += text.length;
  }
  return undefined;
}

/** One character for each byte: a token may be part of a character, which as text would be lost. */
function textOf({ token, bytes }: Pick<ReplyToken, 'token' | 'bytes'>): string {
  return bytes ? Buffer.from(bytes).toString('latin1') : latin1(token);
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
