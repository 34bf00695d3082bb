/**
 * Random ids by order of appearance, times blanked: what is left of two runs must be equal word by word. Left out is what
 * any callback handler changes in the config that `debug` and `checkpoints` chunks quote, a tracer as much as ours: it
 * stands under `callbacks`, and LangChain drops `run_name`. Older versions quote writes as bytes of JSON, with ids in them.
 */
export function normalised(value: unknown): unknown {
  const names = new Map<string, string>();
  const text =
    JSON.stringify(value, (key, item) => {
      if (key === 'callbacks' || key === 'run_name') return undefined;
      if (item instanceof Uint8Array) return new TextDecoder().decode(item);
      return key === 'timestamp' && typeof item === 'number' ? 'TIME' : item;
    }) ?? 'undefined';
  return JSON.parse(
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g, (id) => {
        if (!names.has(id)) names.set(id, `id-${names.size}`);
        return names.get(id) as string;
      }),
  );
}

/** Everything that a stream holds. */
export async function drained(stream: AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>) {
  const all: unknown[] = [];
  for await (const chunk of await stream) all.push(chunk);
  return all;
}

/** What an encoded stream says. */
export function decoded(chunks: readonly unknown[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk as Uint8Array)).join('');
}
