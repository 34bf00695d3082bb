import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** What the model wrote, word for word. */
export interface Reply {
  readonly text: string;
  readonly finishReason: string;
}

const completionSchema = z.object({
  choices: z.tuple(
    [z.object({ message: z.object({ content: z.string().nullish() }), finish_reason: z.string() })],
    z.unknown(),
  ),
});

/**
 * Stands between an auditor and its model server, passes bodies on as they are, and keeps the replies: an auditor tells
 * what it made of them, not what they were.
 */
export class ReplyTap {
  readonly #base: string;
  readonly #server: Server;
  #replies: Reply[] = [];

  private constructor(base: string) {
    this.#base = base;
    this.#server = createServer((request, response) => {
      this.#pass(request, response).catch(() => response.destroy());
    });
  }

  /** @param base of the model server, up to and with its `/v1` */
  static async before(base: string): Promise<ReplyTap> {
    const tap = new ReplyTap(base.replace(/\/$/, ''));
    tap.#server.listen(0, '127.0.0.1');
    await once(tap.#server, 'listening');
    return tap;
  }

  /** To be given to the auditor in place of the server's. */
  get baseURL(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The replies since the last call, in their order. Refusals and faults of the server are none. */
  take(): readonly Reply[] {
    const taken = this.#replies;
    this.#replies = [];
    return taken;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // An auditor that hangs up must free the model, too.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await fetch(`${this.#base}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: await text(request),
      signal: gone.signal,
    });
    const body = await answer.text();
    const reply = answer.ok ? replyIn(body) : undefined;
    if (reply) this.#replies.push(reply);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  }
}

/** Nothing where the body is no completion; the auditor will say so. */
function replyIn(body: string): Reply | undefined {
  try {
    const [choice] = completionSchema.parse(JSON.parse(body)).choices;
    return { text: choice.message.content ?? '', finishReason: choice.finish_reason };
  } catch {
    return undefined;
  }
}
