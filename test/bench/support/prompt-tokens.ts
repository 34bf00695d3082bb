import { type Behaviour, json } from '../../support/model-server/behaviours.js';
import type { SeenChat } from '../../support/model-server.js';

/** Log-probability of one token of a prompt, by its text. */
export type Logprob = (token: string) => number;

/** As a tokenizer might cut: words with the space before them, digits, signs. */
export function tokensOf(prompt: string): readonly string[] {
  return prompt.match(/ ?\p{L}+|\d|\s|[^\s\p{L}\d]+/gu) ?? [];
}

const promptOf = ({ body }: SeenChat) => String(body['prompt'] ?? body.messages?.[0]?.content);

const usage = { prompt_tokens: 50, completion_tokens: 1, prompt_tokens_details: null };

/** As vLLM writes them: the prompt's own token, and the likeliest where that is another. */
function positions(seen: SeenChat, logprob: Logprob, around: readonly [string, string]) {
  const [before, after] = around;
  return tokensOf(before + promptOf(seen) + after).map((text, at) => {
    if (at === 0) return null;
    const own = { logprob: logprob(text), rank: 7, decoded_token: text };
    // Its id is the lower one, and so it stands first when the object is read.
    return { 9: own, 5: { logprob: -0.01, rank: 1, decoded_token: 'the' } };
  });
}

/** vLLM at /completions. */
export const givesPromptLogprobs = (seen: SeenChat, logprob: Logprob): Behaviour =>
  json(200, {
    choices: [{ index: 0, text: 'x', prompt_logprobs: positions(seen, logprob, ['', '']) }],
    usage,
  });

/** vLLM at /chat/completions, within a template. */
export const givesChatLogprobs = (seen: SeenChat, logprob: Logprob): Behaviour =>
  json(200, {
    choices: [{ index: 0, message: { role: 'assistant', content: 'x' } }],
    prompt_logprobs: positions(seen, logprob, ['<|im_start|>user\n', '<|im_end|>\n<|im_start|>assistant\n']),
    usage,
  });

/** The legacy way: the prompt and the one new token. */
export const echoes = (seen: SeenChat, logprob: Logprob): Behaviour => {
  const tokens = [...tokensOf(promptOf(seen)), ' new'];
  const token_logprobs = tokens.map((token, at) => (at === 0 ? null : logprob(token)));
  return json(200, {
    choices: [{ index: 0, text: tokens.join(''), logprobs: { tokens, token_logprobs } }],
    usage,
  });
};

/** A server that looks past fields which it does not know. */
export const completesOnly: Behaviour = json(200, {
  choices: [{ index: 0, text: ' new', message: { role: 'assistant', content: 'x' }, logprobs: null }],
  usage,
});

/** llama.cpp writes these of a legacy completion as of a chat. */
export const otherLogprobs: Behaviour = json(200, {
  choices: [{ index: 0, text: ' new', logprobs: { content: [{ token: ' new', logprob: -1 }] } }],
  usage,
});
