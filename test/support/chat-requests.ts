import { expect } from 'vitest';
import { ChatFailure } from '../../core/chat-client/chat-failure.js';
import {
  type ChatClientOptions,
  type ChatOptions,
  type ChatReply,
  chatClient,
} from '../../core/chat-client.js';
import { type Behaviour, hangs } from './model-server/behaviours.js';
import { modelServer, type SeenChat } from './model-server.js';

export const messages = [{ role: 'user', content: 'Is it safe?' }] as const;
export const KEY = 'sk-abcdef0123456789';

/** A server with a script, and a client of it. The last behaviour answers whatever comes after the script. */
export async function serving(
  script: readonly Behaviour[] | ((seen: SeenChat) => Behaviour),
  options: Partial<ChatClientOptions> = {},
) {
  const server = await modelServer((seen, count) =>
    typeof script === 'function' ? script(seen) : (script[Math.min(count, script.length - 1)] ?? hangs),
  );
  const client = chatClient({ baseURL: server.baseURL, model: 'tiny', apiKey: KEY, ...options });
  const ask = (more: Partial<ChatOptions> = {}): Promise<ChatReply> =>
    client.complete(
      { messages, maxTokens: 5, temperature: 0 },
      { signal: AbortSignal.timeout(20_000), ...more },
    );
  return { server, client, ask };
}

/** What a request failed with. */
export const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it gave a reply'),
    (thrown: unknown) => {
      expect(thrown).toBeInstanceOf(ChatFailure);
      return thrown as ChatFailure;
    },
  );

export const within = (milliseconds: number) => ({
  signal: AbortSignal.timeout(milliseconds),
  deadlineAt: performance.now() + milliseconds,
});
