/** A reply of 4,096 tokens with twenty log-probabilities each has about 8 MiB. */
const MOST_BYTES = 32 * 2 ** 20;

/**
 * `fetch` that has read the body when it resolves, and gives up on one that does not end: closing the socket, holding no
 * more than the limit. What goes wrong with the body goes wrong here, where the request's signal still counts.
 */
export function boundedFetch(mostBytes = MOST_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const body = response.body && (await readAtMost(mostBytes, response.body));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

async function readAtMost(
  mostBytes: number,
  body: ReadableStream<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by a throw cancels the stream.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the reply has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
