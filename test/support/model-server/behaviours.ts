import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Answers one request, or fails to. */
export type Behaviour = (response: ServerResponse) => void | Promise<void>;

export interface ScriptedCompletion {
  readonly text?: string | null;
  readonly usage?: object | null;
  /** Of `logprobs.content`. */
  readonly tokens?: readonly object[];
  readonly finishReason?: string;
  /** Further fields of the message: `refusal`, `reasoning_content`. */
  readonly message?: object;
}

/** The reply that means Continue. */
export const SAFE =
  '<think>All is well.</think><answer>{"answer": "SAFE", "agent": null, "reason": null}</answer>';

export const alarmReply = (step: number, agent: string, reason = 'the sum is wrong') =>
  `<think>Hm.</think><answer>${JSON.stringify({ answer: step, agent, reason })}</answer>`;

export const usage = (input: number, cached: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
});

export function completion({
  text = SAFE,
  usage,
  tokens,
  finishReason = 'stop',
  message,
}: ScriptedCompletion) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, ...message },
        finish_reason: finishReason,
        logprobs: tokens ? { content: tokens } : null,
      },
    ],
    ...(usage === null
      ? {}
      : { usage: usage ?? { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } }),
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  };

export const replies = (scripted: ScriptedCompletion = {}): Behaviour => json(200, completion(scripted));

/** As OpenAI writes errors. */
export const fails = (
  status: number,
  message = 'no',
  headers?: Record<string, string>,
  code?: string,
): Behaviour => json(status, { error: { message, type: 'error', code } }, headers);

/** Never answers. */
export const hangs: Behaviour = () => {};

export const after =
  (milliseconds: number, behaviour: Behaviour): Behaviour =>
  async (response) => {
    await sleep(milliseconds, undefined, { ref: false });
    await behaviour(response);
  };

/** Sends half of a good reply and closes the connection. */
export const breaksOff: Behaviour = (response) => {
  const text = JSON.stringify(completion({}));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};

/** Closes the connection without a word. */
export const hangsUp: Behaviour = (response) => void response.destroy();

export const malformed: Behaviour = json(200, '{"choices": [{"message": {"content": "SA');

export const wrongSchema: Behaviour = json(200, { result: 'SAFE' });

/** A body that does not end. */
export const floods: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const block = Buffer.alloc(2 ** 20, ' ');
  const more = () => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

/** Answers with a stream, a few characters at a time. `usage: null` as servers do that are not asked for it. */
export const streams =
  ({ text = SAFE, usage = null, tokens, finishReason = 'stop' }: ScriptedCompletion = {}): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (chunk: unknown) => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    const choice = (fields: object) => ({
      choices: [{ index: 0, finish_reason: null, delta: {}, ...fields }],
    });
    send(choice({ delta: { role: 'assistant', content: null } }));
    for (const content of text?.match(/.{1,7}/gsu) ?? []) send(choice({ delta: { content } }));
    for (const token of tokens ?? []) send(choice({ logprobs: { content: [token] } }));
    send(choice({ finish_reason: finishReason }));
    if (usage) send({ choices: [], usage });
    response.end('data: [DONE]\n\n');
  };
