/** How much is measured. `block` is the steps of a block, at least: a block is so many whole runs. */
export interface Extent {
  readonly warmUp: number;
  readonly rounds: number;
  readonly block: number;
}

/** CPU microseconds per step, one for each round. */
export type Costs = readonly number[];

/** Runs one block. @returns CPU microseconds per step */
export type Block = () => Promise<number>;

/** Lets the blocks take turns; progress goes to stderr. */
export async function measure<Name extends string>(
  blocks: Record<Name, Block>,
  { warmUp, rounds }: Omit<Extent, 'block'>,
): Promise<Record<Name, Costs>> {
  const costs = mapValues(blocks, () => [] as number[]);
  const names = Object.keys(blocks) as Name[];
  for (let round = -warmUp; round < rounds; round++) {
    // Forwards and backwards in turn, so that no variant always follows the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const cost = await blocks[name]();
      if (round >= 0) costs[name].push(cost);
    }
    if (round > 0 && round % 20 === 0) process.stderr.write(`  ${round} of ${rounds} rounds\n`);
  }
  return costs;
}

/** CPU time of the whole process, collector and compiler threads included. @returns microseconds per step */
export async function cpuPerStep(steps: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / steps;
}

/** The median over rounds, of two blocks of the same round. */
export function ratio(costs: Costs, others: Costs): number {
  return rounded(median(costs.map((cost, round) => cost / (others[round] as number))));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

export const rounded = (value: number) => Number(value.toFixed(3));

export function mapValues<Name extends string, From, To>(
  record: Record<Name, From>,
  to: (value: From) => To,
): Record<Name, To> {
  return Object.fromEntries(Object.entries<From>(record).map(([name, value]) => [name, to(value)])) as Record<
    Name,
    To
  >;
}
