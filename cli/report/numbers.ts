/** Numbers of a whole log, 8 bytes each, so that quantiles are exact. */
export class Numbers {
  #values = new Float64Array(64);
  #length = 0;
  #sum = 0;
  #sorted = true;

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
    this.#sum += value;
    this.#sorted = false;
  }

  get length(): number {
    return this.#length;
  }

  get sum(): number {
    return this.#sum;
  }

  /** The smallest value that at least this share of all is no greater than. */
  quantile(share: number): number | null {
    return this.sorted()[Math.max(0, Math.ceil(share * this.#length) - 1)] ?? null;
  }

  /** How many fall into each bin; `edges` ascend, the last bin includes its upper edge, and what lies outside is counted at the ends. */
  histogram(edges: readonly number[]): number[] {
    const bins = new Array<number>(edges.length - 1).fill(0);
    let bin = 0;
    for (const value of this.sorted()) {
      while (bin < bins.length - 1 && value >= (edges[bin + 1] as number)) bin++;
      bins[bin] = (bins[bin] as number) + 1;
    }
    return bins;
  }

  /** Ascending. A view, good until the next `add`. */
  sorted(): Float64Array {
    const view = this.#values.subarray(0, this.#length);
    if (!this.#sorted) view.sort();
    this.#sorted = true;
    return view;
  }
}
