import type { ChatMessage, ChatRequest } from '../../chat-client.js';
import type { Continue } from '../../verdict.js';
import { alarmScore, answerOdds } from './answer-odds.js';
import type { AskModel } from './model-calls.js';
import type { ServerFeature } from './server-feature.js';

/**
 * The reply, begun for the model. It ends with the colon: a space after it would be a token of its own, which tokenizers
 * that have space and quote in one token only write before a digit, and so the probe would ask for an alarm.
 */
const BEGUN = '<think></think><answer>{"answer":';

/** Refused for a reason that is not the probe's, or not conclusive: ask in full. */
export type ProbeResult = { readonly verdict: Continue } | 'inconclusive' | 'refused';

/**
 * One token instead of a reasoned reply: is this safe? The prompt is the full question's, so that the cache serves both.
 * @param threshold how probable SAFE must be, 0 to 1
 */
export async function probe(
  ask: AskModel,
  messages: readonly ChatMessage[],
  threshold: number,
  feature: ServerFeature,
): Promise<ProbeResult> {
  const request: ChatRequest = {
    messages: [...messages, { role: 'assistant', content: BEGUN }],
    maxTokens: 1,
    temperature: 0,
    topLogprobs: 20,
    // For vLLM. Others continue a trailing assistant message without being told, and look past what they do not know.
    fields: { continue_final_message: true, add_generation_prompt: false, max_tokens: 1 },
  };
  try {
    const { tokens } = await ask('probe', request);
    if (!tokens) {
      feature.isMissing();
      return 'inconclusive';
    }
    feature.works();
    const odds = answerOdds(tokens, '');
    if (!odds || odds.safe < threshold) return 'inconclusive';
    const score = alarmScore(odds);
    if (score === undefined) return 'inconclusive';
    return { verdict: { kind: 'continue', score } };
  } catch (cause) {
    if (feature.mayExplain(cause)) return 'refused';
    throw cause;
  }
}
