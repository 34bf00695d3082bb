/** A reply of 4,096 tokens with twenty log-probabilities each has about 8 MiB. */
const MOST_BYTES = 32 * 2 ** 20;

/** The body as text. One that does not end is given up, its socket closed, once more than the limit has come. */
export function boundedText(response: Response, mostBytes = MOST_BYTES): Promise<string> {
  return isShort(response, mostBytes) ? response.text() : textUpTo(mostBytes, response);
}

/** Whether the server has said so: the parser lets no more come. A compressed body may be of any length. */
function isShort({ headers }: Response, mostBytes: number): boolean {
  const length = headers.get('content-length');
  return length !== null && Number(length) <= mostBytes && !headers.has('content-encoding');
}

async function textUpTo(mostBytes: number, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by a throw cancels the stream.
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the reply has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
