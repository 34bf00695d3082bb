import { expect, test } from 'vitest';
import { inOrder } from '../../../collectors/pipeline/in-order.js';

async function* count(to: number, onTaken: (item: number) => void = () => {}) {
  for (let item = 0; item < to; item++) {
    onTaken(item);
    yield item;
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('results keep the order of the items, however long each takes, and no more run at once than may', async () => {
  let active = 0;
  let most = 0;
  const work = async (item: number) => {
    most = Math.max(most, ++active);
    await wait(item % 3 === 0 ? 12 : 1);
    active--;
    return item * 10;
  };
  expect(await Array.fromAsync(inOrder(count(20), 3, work))).toEqual(
    Array.from({ length: 20 }, (_, i) => i * 10),
  );
  expect(most).toBe(3);
});

test('a result is handed over once it and those before it are there', async () => {
  const open: (() => void)[] = [];
  const work = (item: number) =>
    item < 2 ? Promise.resolve(item) : new Promise<number>((resolve) => open.push(() => resolve(item)));
  const results = inOrder(count(3), 2, work);
  expect((await results.next()).value).toBe(0);
  expect((await results.next()).value).toBe(1);
  const last = results.next();
  await wait(5);
  open[0]?.();
  expect((await last).value).toBe(2);
});

test('a slow first one does not make the source run away', async () => {
  let taken = 0;
  const slow = new Promise<void>((resolve) => setTimeout(resolve, 40));
  const results = inOrder(
    count(1_000, () => taken++),
    2,
    async (item) => (item === 0 ? slow : undefined),
  );
  await results.next();
  expect(taken).toBeLessThanOrEqual(9);
  await results.return(undefined);
});

test('a fault is thrown at its place, after the results before it, and leaves no rejection behind', async () => {
  const results = inOrder(count(5), 3, async (item) => {
    if (item >= 2) throw new Error(`item ${item}`);
    await wait(5);
    return item;
  });
  expect([(await results.next()).value, (await results.next()).value]).toEqual([0, 1]);
  await expect(results.next()).rejects.toThrow('item 2');
  await wait(1);
});
