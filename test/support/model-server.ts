import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Behaviour } from './model-server/behaviours.js';

/** A request to `/v1/chat/completions`, as it came over the wire. */
export interface SeenChat {
  readonly path: string;
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

/**
 * @param behave says how to answer a request; `count` is 0 for the first.
 * @param paths that the server knows
 */
export async function modelServer(
  behave: (request: SeenChat, count: number) => Behaviour,
  paths: readonly string[] = ['/v1/chat/completions'],
): Promise<ModelServer> {
  const requests: SeenChat[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer(async (incoming, response) => {
    const closedByClient = new Promise<boolean>((resolve) => {
      response.on('close', () => resolve(!response.writableEnded));
    });
    const text = await Array.fromAsync(incoming, String).catch(() => undefined);
    if (text === undefined) return;
    const { url: path = '' } = incoming;
    if (incoming.method !== 'POST' || !paths.includes(path)) {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(text.join(''));
    const request: SeenChat = { path, headers: incoming.headers, body, closedByClient };
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
