/** Results that may wait for an earlier, slower one, per piece of work that may run at once. */
const WAITING_PER_WORKER = 4;

interface Work<Result> {
  readonly result: Promise<Result>;
  isSettled: boolean;
}

/**
 * Does `work` on `items`, at most `concurrency` at once, and hands the results over in the order of the items. An item is
 * taken only when it can be begun, so a source of any length stays a stream. A fault of the work is thrown at its place.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Work<Result>[] = [];
  const active = new Set<Promise<void>>();
  const begin = (item: Item) => {
    const one: Work<Result> = { result: work(item), isSettled: false };
    const settle = () => {
      one.isSettled = true;
      active.delete(settled);
    };
    const settled = one.result.then(settle, settle);
    active.add(settled);
    begun.push(one);
  };
  try {
    for await (const item of items) {
      begin(item);
      if (active.size >= concurrency) await Promise.race(active);
      while (begun[0]?.isSettled || begun.length >= concurrency * WAITING_PER_WORKER)
        yield (begun.shift() as Work<Result>).result;
    }
    while (begun.length > 0) yield (begun.shift() as Work<Result>).result;
  } finally {
    await Promise.all(active);
  }
}
