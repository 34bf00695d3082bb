/**
 * What auditing costs the CPU at each node of a LangGraph graph, beside what the graph takes bare, with a callback
 * handler that does nothing, and with a tracer that people run today; and whether that cost grows with the run.
 *
 * CPU time of the whole process, collector and compiler threads included. All variants of a graph take turns, forwards
 * and backwards, in short blocks, and each ratio is the median over rounds of two blocks of the same round.
 */
import { parseArgs } from 'node:util';
import { boundedLoop, loop, nestedTeam, type Subject, toolAgent } from './overhead/graphs.js';
import { audited, bare, noopHandler, tracer, unredacted, type Variant } from './overhead/variants.js';

const USAGE = `Usage: npm run bench:overhead

CPU per node of a LangGraph graph: bare, with a no-op callback handler, audited (no-op auditor at every turn, default
redactor, no recorder), and traced by OpenInference into nowhere; then the audit's own cost in runs of 100, 1,000 and
10,000 nodes. Takes about four minutes. The tables and, as the last line, one JSON object go to stdout, progress to stderr.
`;

/** How much is measured. `block` is the nodes of a block, at least: a block is so many whole runs. */
interface Extent {
  readonly warmUp: number;
  readonly rounds: number;
  readonly block: number;
}

const COSTS: Extent = { warmUp: 8, rounds: 60, block: 100 };
const GROWTH: Extent = { warmUp: 2, rounds: 6, block: 2_000 };

/** CPU microseconds per node, one for each round. */
type Costs = readonly number[];

/** Runs one block. @returns CPU microseconds per node */
type Block = () => Promise<number>;

async function main(): Promise<void> {
  // A tracer that is switched on in the shell would be measured in every variant.
  for (const name of Object.keys(process.env)) if (/^LANG(CHAIN|SMITH)_/.test(name)) delete process.env[name];
  const variants = { bare, noopHandler, audited, unredacted, tracer: tracer() };
  const subjects = [loop(100), toolAgent(10), nestedTeam(4)];
  const tables = [];
  for (const subject of subjects) {
    process.stderr.write(`${subject.label}\n`);
    const blocks = mapValues(variants, (variant) => blockOf(variant, subject, COSTS));
    tables.push({ subject, costs: await measure(blocks, COSTS) });
  }
  const growth = await measureGrowth();

  for (const { subject, costs } of tables) printCosts(subject, costs);
  printGrowth(growth);
  const [headline, agent, team] = tables.map(({ costs }) => ratios(costs));
  const [shortest, , longest] = growth.map(({ added }) => median(added));
  const grown = rounded((longest ?? Number.NaN) / (shortest ?? Number.NaN));
  console.log(JSON.stringify({ langgraph: { ...headline, growth: grown, agent, team } }));
}

/** What the audit adds to a node of a run of each length. */
async function measureGrowth() {
  const rows = [];
  for (const length of [100, 1_000, 10_000]) {
    process.stderr.write(`runs of ${length} nodes\n`);
    const subject = boundedLoop(length);
    const blocks = mapValues({ bare, audited }, (variant) => blockOf(variant, subject, GROWTH));
    const costs = await measure(blocks, GROWTH);
    const added = costs.audited.map((cost, round) => cost - (costs.bare[round] as number));
    rows.push({ subject, costs, added });
  }
  return rows;
}

function blockOf(variant: Variant, { graph, input, nodes }: Subject, { block }: Extent): Block {
  const app = variant.hook(graph);
  const runs = Math.ceil(block / nodes);
  return async () => {
    const before = process.cpuUsage();
    await variant.around(async () => {
      for (let run = 0; run < runs; run++) await app.invoke(input as never, { recursionLimit: nodes + 1 });
    });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / (runs * nodes);
  };
}

async function measure<Name extends string>(blocks: Record<Name, Block>, { warmUp, rounds }: Extent) {
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
  return costs as Record<Name, Costs>;
}

type Measured = Record<'bare' | 'noopHandler' | 'audited' | 'unredacted' | 'tracer', Costs>;

function ratios({ bare, noopHandler, audited, unredacted, tracer }: Measured) {
  return {
    bare: ratio(audited, bare),
    noopHandler: ratio(audited, noopHandler),
    tracer: ratio(audited, tracer),
    redactor: ratio(audited, unredacted),
  };
}

function ratio(costs: Costs, others: Costs): number {
  return rounded(median(costs.map((cost, round) => cost / (others[round] as number))));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

const rounded = (value: number) => Number(value.toFixed(3));

const LABELS: Record<keyof Measured, string> = {
  bare: 'bare',
  noopHandler: 'no-op callback handler',
  audited: 'audited',
  unredacted: 'audited, without the redactor',
  tracer: 'OpenInference tracer',
};

function printCosts({ label }: Subject, costs: Measured): void {
  const rows = (Object.keys(LABELS) as (keyof Measured)[]).map((name) => [
    LABELS[name],
    median(costs[name]).toFixed(0),
    ratio(costs[name], costs.bare).toFixed(2),
    ratio(costs.audited, costs[name]).toFixed(2),
  ]);
  print([[label, 'µs/node', 'to bare', 'audited to it'], ...rows]);
}

function printGrowth(rows: Awaited<ReturnType<typeof measureGrowth>>): void {
  const cells = rows.map(({ subject, costs, added }) => [
    subject.label,
    median(costs.bare).toFixed(0),
    median(costs.audited).toFixed(0),
    median(added).toFixed(1),
  ]);
  print([['growth', 'bare µs/node', 'audited µs/node', 'added µs/node'], ...cells]);
}

function print(lines: readonly (readonly string[])[]): void {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    const padded = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths?.[at] ?? 0) : cell.padStart(widths?.[at] ?? 0),
    );
    console.log(padded.join('  '));
  }
  console.log();
}

function mapValues<Name extends string, From, To>(record: Record<Name, From>, to: (value: From) => To) {
  return Object.fromEntries(Object.entries<From>(record).map(([name, value]) => [name, to(value)])) as Record<
    Name,
    To
  >;
}

if (parseArgs({ options: { help: { type: 'boolean' } } }).values.help) process.stdout.write(USAGE);
else await main();
