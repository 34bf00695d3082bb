import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a server does with one request in place of sending what was asked for. */
export type Misdeed =
  | { readonly breakAfter: number }
  | { readonly status: number }
  | { readonly location: string }
  | 'no-ranges'
  | 'wrong-range'
  | 'hang';

export interface FileServer {
  /** With a `/` at its end. */
  readonly url: string;
  /** `"/a.bin"`, or `"/a.bin bytes=4-"`, in the order in which they came. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves files over HTTP, ranges too, for as long as the running test.
 * @param misdeed of the n-th request for a path, from 0
 */
export async function fileServer(
  files: ReadonlyMap<string, Uint8Array>,
  misdeed: (path: string, nth: number) => Misdeed | undefined = () => undefined,
): Promise<FileServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const nth = requests.filter((line) => line.split(' ')[0] === path).length;
    requests.push([path, request.headers.range].filter(Boolean).join(' '));
    answer(files.get(path.slice(1)), misdeed(path, nth), request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests, close };
}

function answer(
  content: Uint8Array | undefined,
  misdeed: Misdeed | undefined,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (misdeed === 'hang') return;
  if (typeof misdeed === 'object' && 'status' in misdeed)
    return void response.writeHead(misdeed.status).end();
  if (typeof misdeed === 'object' && 'location' in misdeed)
    return void response.writeHead(302, { location: misdeed.location }).end();
  if (!content) return void response.writeHead(404).end();
  const asked = misdeed === 'no-ranges' ? undefined : /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1];
  const start = Number(asked ?? 0) + (misdeed === 'wrong-range' ? 1 : 0);
  if (start >= content.length && asked !== undefined) return void response.writeHead(416).end();
  const body = content.subarray(start);
  const range = { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` };
  response.writeHead(asked === undefined ? 200 : 206, {
    'content-length': body.length,
    ...(asked !== undefined && range),
  });
  if (typeof misdeed !== 'object') return void response.end(body);
  response.write(body.subarray(0, misdeed.breakAfter), () => response.destroy());
}
