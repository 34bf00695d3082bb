export async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
