/** Tokens of a block, as vLLM has it by default. */
export const BLOCK = 16;

/**
 * A prefix cache like vLLM's: a block of tokens is reused when it is full and it and all before it are equal to what was
 * computed once, in whatever call or run. The last token of a prompt is always computed. Nothing is ever evicted, which no
 * server can promise; what a reply adds is not kept.
 */
export class BlockCache {
  /** Of each block and all before it, two 26-bit hashes in one number: two of three million blocks collide in one walk of a thousand. */
  readonly #known = new Set<number>();

  /** How many tokens of the prompt have to be computed. */
  prefill(prompt: Int32Array): number {
    let [high, low] = [0, 0];
    let reused = 0;
    let unbroken = true;
    const reusable = Math.floor((prompt.length - 1) / BLOCK);
    const full = Math.floor(prompt.length / BLOCK);
    for (let block = 0; block < full; block++) {
      for (let at = block * BLOCK; at < (block + 1) * BLOCK; at++) {
        const token = prompt[at] as number;
        high = mixed(high ^ token, 0x85ebca6b);
        low = mixed(low + token, 0xc2b2ae35);
      }
      const hash = (high >>> 6) * 2 ** 26 + (low >>> 6);
      if (unbroken && block < reusable && this.#known.has(hash)) reused++;
      else unbroken = false;
      this.#known.add(hash);
    }
    return prompt.length - reused * BLOCK;
  }
}

function mixed(value: number, factor: number): number {
  const product = Math.imul(value ^ (value >>> 15), factor);
  return (product ^ (product >>> 13)) + 0x9e3779b9;
}
