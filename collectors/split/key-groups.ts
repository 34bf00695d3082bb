/** Keys that were seen together, directly or by way of others, are one group: a union-find over hashes. */
export class KeyGroups {
  readonly #nodes = new Map<string, number>();
  readonly #parents: number[] = [];
  readonly #sizes: number[] = [];
  /** At each root, the smallest key of its group: the same whatever order the keys came in. */
  readonly #names: string[] = [];

  join([first, ...others]: readonly string[]): void {
    if (first === undefined) return;
    const node = this.#node(first);
    for (const other of others) this.#unite(node, this.#node(other));
  }

  /** The name of a key's group, which is one of its keys. */
  nameOf(key: string): string | undefined {
    const node = this.#nodes.get(key);
    return node === undefined ? undefined : this.#names[this.#root(node)];
  }

  #node(key: string): number {
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node = this.#parents.length;
    this.#nodes.set(key, node);
    this.#parents.push(node);
    this.#sizes.push(1);
    this.#names.push(key);
    return node;
  }

  #root(node: number): number {
    let at = node;
    for (;;) {
      const parent = this.#parents[at] as number;
      if (parent === at) return at;
      const above = this.#parents[parent] as number;
      this.#parents[at] = above;
      at = above;
    }
  }

  #unite(one: number, other: number): void {
    const [a, b] = [this.#root(one), this.#root(other)];
    if (a === b) return;
    const [root, child] = this.#size(a) >= this.#size(b) ? [a, b] : [b, a];
    this.#parents[child] = root;
    this.#sizes[root] = this.#size(a) + this.#size(b);
    const [name, joining] = [this.#names[root] as string, this.#names[child] as string];
    if (joining < name) this.#names[root] = joining;
  }

  #size(root: number): number {
    return this.#sizes[root] as number;
  }
}
