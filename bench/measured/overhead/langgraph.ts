/**
 * What auditing costs the CPU at each node of a LangGraph graph, beside what the graph takes bare, with a callback
 * handler that does nothing, and with a tracer that people run today; and whether that cost grows with the run.
 *
 * CPU time of the whole process, collector and compiler threads included. All variants of a graph take turns, forwards
 * and backwards, in short blocks, and each ratio is the median over rounds of two blocks of the same round.
 */
import { boundedLoop, loop, nestedTeam, type Subject, toolAgent } from './graphs.js';
import {
  type Block,
  type Costs,
  cpuPerStep,
  type Extent,
  mapValues,
  measure,
  median,
  ratio,
  rounded,
} from './measure.js';
import { printTable } from './table.js';
import { audited, bare, noopHandler, tracer, unredacted, type Variant } from './variants.js';

const COSTS: Extent = { warmUp: 8, rounds: 60, block: 100 };
const GROWTH: Extent = { warmUp: 2, rounds: 6, block: 2_000 };

/** Prints its tables. @returns the ratios */
export async function langgraph(): Promise<object> {
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
  return { ...headline, growth: grown, agent, team };
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
  const work = async () => {
    for (let run = 0; run < runs; run++) await app.invoke(input as never, { recursionLimit: nodes + 1 });
  };
  return () => cpuPerStep(runs * nodes, () => variant.around(work));
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
  printTable([[label, 'µs/node', 'to bare', 'audited to it'], ...rows]);
}

function printGrowth(rows: Awaited<ReturnType<typeof measureGrowth>>): void {
  const cells = rows.map(({ subject, costs, added }) => [
    subject.label,
    median(costs.bare).toFixed(0),
    median(costs.audited).toFixed(0),
    median(added).toFixed(1),
  ]);
  printTable([['growth', 'bare µs/node', 'audited µs/node', 'added µs/node'], ...cells]);
}
