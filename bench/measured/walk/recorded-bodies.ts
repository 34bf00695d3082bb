import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A chat request as it came over the wire. */
export type ChatBody = Readonly<Record<string, unknown>>;

/** The bodies of all requests that `ask` makes of the server at `baseURL`, which passes them on to `target`. */
export async function recordedBodies(
  target: string,
  ask: (baseURL: string) => Promise<void>,
): Promise<readonly ChatBody[]> {
  const bodies: ChatBody[] = [];
  const server = http.createServer(async (incoming, response) => {
    const body = (await json(incoming)) as ChatBody;
    bodies.push(body);
    const reply = await fetch(`${target}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return bodies;
}
