import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Behaviour } from './model-server/behaviours.js';

/** A request to `/v1/chat/completions`, as it came over the wire. */
export interface SeenChat {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: ChatBody;
  /** Resolves when the exchange is over: true where the client closed its socket before it had the whole reply. */
  readonly closedByClient: Promise<boolean>;
}

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly [field: string]: unknown;
}

/** A model server on loopback whose model is a script. What travels is real HTTP over real sockets. */
export interface ModelServer {
  readonly baseURL: string;
  readonly requests: readonly SeenChat[];
  /** Connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** @param behave says how to answer a request; `count` is 0 for the first. */
export async function modelServer(
  behave: (request: SeenChat, count: number) => Behaviour,
): Promise<ModelServer> {
  const requests: SeenChat[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer(async (incoming, response) => {
    const closedByClient = new Promise<boolean>((resolve) => {
      response.on('close', () => resolve(!response.writableEnded));
    });
    const text = await Array.fromAsync(incoming, String).catch(() => undefined);
    if (text === undefined) return;
    if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
    const request: SeenChat = { headers: incoming.headers, body: JSON.parse(text.join('')), closedByClient };
    requests.push(request);
    await behave(request, requests.length - 1)(response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { baseURL: `http://127.0.0.1:${port}/v1`, requests, sockets, close };
}
