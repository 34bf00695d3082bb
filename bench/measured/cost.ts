/**
 * What a walk with one call per turn costs a server in prompt tokens, under the append-only layout and the published one:
 * real bytes of both, counted by a real tokenizer, against a model of vLLM's prefix cache.
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  appendOnlyLayout,
  countTokens,
  everyTurn,
  type PromptLayout,
  portableSchedule,
  publishedLayout,
} from '../../core/index.js';
import { lineChart } from '../plot/line-chart.js';
import { readCorpora } from './cost/corpora.js';
import { generatedRun } from './cost/generated-run.js';
import { growthExponent } from './cost/growth-exponent.js';
import { SAMPLE_REPLY } from './cost/sample-reply.js';
import { decodingRows, printTable, promptRow } from './cost/tables.js';
import { type WalkCost, type WalkedRun, walk } from './cost/walk.js';

const USAGE = `Usage: npm run bench:cost -- [--data FOLDER] [--svg FILE] [--json]

Prompt tokens and prefilled tokens of walking Who&When, AFTraj-2K (all rows) and generated runs of 50 to 800 turns to their
end, one call per turn. Takes some minutes. The corpora are read from ../shared/data, AGENTFORESIGHT_DATA or --data.

  --data FOLDER   holds aftraj/ and who-and-when/ as published
  --svg FILE      where the chart goes (default docs/cost.svg)
  --json          one JSON object per row instead of tables

Tables and, as the last line, one JSON object of ratios published/append-only go to stdout, progress to stderr.
`;

/** What 2,000 characters of English come to, where the published layout cuts: so both layouts show about the same. */
const TURN_TOKENS = 512;
const LENGTHS = [50, 100, 200, 400, 800];

const LAYOUTS = {
  published: publishedLayout(),
  /** Of unlimited context, as the published one is, so that neither compacts. */
  'append-only': appendOnlyLayout({ contextTokens: 10_000_000, turnTokens: TURN_TOKENS }),
  'append-only as shipped': appendOnlyLayout(),
} satisfies Record<string, PromptLayout>;

type LayoutName = keyof typeof LAYOUTS;
type ScheduleName = 'every turn' | 'portable schedule';

/** One corpus, walked under every layout and schedule. */
interface Walked {
  readonly corpus: string;
  readonly runs: number;
  readonly turns: number;
  readonly costs: Readonly<Record<LayoutName, Readonly<Record<ScheduleName, WalkCost>>>>;
}

function walkAll(corpus: string, runs: readonly WalkedRun[]): Walked {
  const schedules = { 'every turn': everyTurn(), 'portable schedule': portableSchedule() };
  const costs = Object.entries(LAYOUTS).map(([name, layout]) => {
    process.stderr.write(`${corpus}, ${name}\n`);
    return [name, walk(runs, layout, schedules)];
  });
  const turns = runs.reduce((total, run) => total + run.turns.length, 0);
  return { corpus, runs: runs.length, turns, costs: Object.fromEntries(costs) };
}

function ratio({ costs }: Walked, layout: LayoutName = 'append-only'): number {
  const prefilled = (name: LayoutName) => costs[name]['every turn'].prefilledTokens;
  return Number((prefilled('published') / prefilled(layout)).toFixed(2));
}

function pointsOf(generated: readonly Walked[], layout: LayoutName): [number, number][] {
  return generated.map(({ turns, costs }) => [turns, costs[layout]['every turn'].prefilledTokens]);
}

function chart(generated: readonly Walked[]): string {
  const names: LayoutName[] = ['published', 'append-only', 'append-only as shipped'];
  return lineChart({
    title: 'Prompt tokens computed over a whole run, one audit per turn',
    x: { label: 'turns of the run', scale: 'log' },
    y: { label: 'prefilled tokens', scale: 'log' },
    series: names.map((name) => ({ name, points: pointsOf(generated, name) })),
  });
}

async function main(data: string, svg: string, json: boolean): Promise<void> {
  const corpora = await readCorpora(data);
  const whoAndWhenAG = walkAll('Who&When, algorithm-generated', corpora.whoAndWhenAG);
  const whoAndWhenHC = walkAll('Who&When, hand-crafted', corpora.whoAndWhenHC);
  const aftraj = walkAll('AFTraj-2K, all rows', corpora.aftraj);
  const generated = LENGTHS.map((turns) => walkAll(`generated, ${turns} turns`, [generatedRun(turns)]));
  const recorded = [whoAndWhenAG, whoAndWhenHC, aftraj];
  const replyTokens = countTokens(SAMPLE_REPLY);
  const prompts = [...recorded, ...generated].flatMap(({ corpus, turns, costs }) =>
    Object.entries(costs).flatMap(([layout, bySchedule]) =>
      Object.entries(bySchedule).map(([schedule, cost]) =>
        promptRow({ corpus, turns, layout, schedule }, cost),
      ),
    ),
  );
  const decoding = recorded.flatMap(({ corpus, costs }) =>
    Object.entries(costs['append-only']).flatMap(([schedule, cost]) =>
      decodingRows({ corpus, schedule }, cost, replyTokens),
    ),
  );
  const exponents = Object.fromEntries(
    Object.keys(LAYOUTS).map((layout) => [
      layout,
      Number(growthExponent(pointsOf(generated, layout as LayoutName)).toFixed(3)),
    ]),
  );
  writeFileSync(svg, chart(generated));
  if (json) for (const row of [...prompts, ...decoding, { exponents }]) console.log(JSON.stringify(row));
  else {
    printTable(prompts);
    console.log(`\nprefilled tokens grow with the turns to the power of: ${listed(exponents)}`);
    const shipped = recorded.map((walked) => [walked.corpus, ratio(walked, 'append-only as shipped')]);
    console.log(`published / append-only as shipped, prefilled: ${listed(Object.fromEntries(shipped))}`);
    console.log(`\nreplies: ${replyTokens} tokens each, a probe 1 token; append-only layout`);
    printTable(decoding);
    console.log(`\n${ASSUMPTIONS}\n\nchart in ${svg}`);
  }
  const headline = {
    whoAndWhenAG: ratio(whoAndWhenAG),
    whoAndWhenHC: ratio(whoAndWhenHC),
    aftraj: ratio(aftraj),
    exponent: exponents['append-only'],
  };
  console.log(JSON.stringify(headline));
}

const ASSUMPTIONS = `The cache: blocks of 16 tokens, reused when full and all before them are equal, the last token computed anew, shared by the runs
of a corpus, of unlimited size. Tokens of o200k_base, without a chat template's. append-only shortens turns to ${TURN_TOKENS} tokens here, about
where the published layout cuts each field (2,000 characters), and has no limit to its context, as that has none; "as shipped" is
the default: turns of 2,048 tokens, and compaction to fit 32,768. Labels play no part but in the probe's rows. A probe asks for one
token first and for reasons only if that does not clear the prefix. best: it clears all before the labelled step and none from it on; worst: it clears none.`;

function listed(numbers: Readonly<Record<string, number>>): string {
  return Object.entries(numbers)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    json: { type: 'boolean' },
    data: { type: 'string', default: process.env['AGENTFORESIGHT_DATA'] ?? '../shared/data' },
    svg: { type: 'string', default: 'docs/cost.svg' },
  },
});
const missing = ['aftraj', 'who-and-when']
  .map((name) => path.join(values.data, name))
  .find((folder) => !existsSync(folder));
if (values.help) process.stdout.write(USAGE);
else if (missing !== undefined) {
  process.stderr.write(`no ${missing}: give the folder that holds aftraj/ and who-and-when/ as --data\n`);
  process.exitCode = 2;
} else await main(values.data, values.svg, values.json === true);
