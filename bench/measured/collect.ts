/**
 * What it takes to collect training data from recorded runs: import, filter (its judge scripted), split, export. AFTraj's
 * 2,276 runs first, then up to 50,000 made from them, each size in a process of its own.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { OneSize } from './collect/one-size.js';
import { growthExponent } from './cost/growth-exponent.js';

const USAGE = `Usage: npm run bench:collect -- [--data FOLDER] [--quick]

Seconds and peak memory of importing, filtering (scripted judge), splitting and exporting AFTraj's 2,276 runs, and how the
seconds grow up to 50,000 runs. Takes some minutes and 1 GB under $TMPDIR, which are given back. AFTraj is read from
../shared/data, AGENTFORESIGHT_DATA or --data.

  --data FOLDER   holds aftraj/ as published
  --quick         AFTraj's own runs only, without the growth

The table and, as the last line, one JSON object go to stdout, progress to stderr.
`;

const AFTRAJ = 2_276;
const SIZES = [6_250, 12_500, 25_000, 50_000];

/** The peak is the process's own, so that one size says nothing of another; neither does the making of its files. */
async function measure(aftraj: string, runs: number): Promise<OneSize> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'agentforesight-collect-'));
  try {
    const input = runs === AFTRAJ ? aftraj : path.join(work, 'aftraj');
    if (runs !== AFTRAJ) await run('write-runs.ts', aftraj, String(runs), input);
    return JSON.parse(await run('one-size.ts', input, path.join(work, 'collected'))) as OneSize;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns what it has printed */
async function run(script: string, ...args: readonly string[]): Promise<string> {
  const file = path.join(import.meta.dirname, 'collect', script);
  const child = spawn(process.execPath, [...process.execArgv, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const printed = (await Array.fromAsync(child.stdout, String)).join('');
  if ((await closed) !== 0) throw new Error(`${script} ${args.join(' ')} failed`);
  return printed;
}

function totalOf({ seconds }: OneSize): number {
  return Object.values(seconds).reduce((total, one) => total + one, 0);
}

function printTable(rows: readonly OneSize[]): void {
  const stages = Object.keys(rows[0]?.seconds ?? {});
  const cells = rows.map((row) => [
    row.runs.toLocaleString('en'),
    ...stages.map((stage) => (row.seconds[stage] ?? 0).toFixed(2)),
    totalOf(row).toFixed(2),
    String(row.peakMb),
    String(row.fileMb),
  ]);
  const header = ['runs', ...stages.map((stage) => `${stage} s`), 'all s', 'peak MB', 'file MB'];
  for (const line of [header, ...cells]) console.log(line.map((cell) => cell.padStart(16)).join(''));
}

async function main(data: string, quick: boolean): Promise<void> {
  const rows: OneSize[] = [];
  for (const runs of quick ? [AFTRAJ] : [AFTRAJ, ...SIZES]) {
    process.stderr.write(`${runs} runs\n`);
    rows.push(await measure(path.join(data, 'aftraj'), runs));
  }
  const [aftraj, ...larger] = rows as [OneSize, ...OneSize[]];
  printTable(rows);
  const points = larger.map((row) => [row.runs, totalOf(row)] as const);
  const growth = quick ? null : Number(growthExponent(points).toFixed(3));
  console.log(JSON.stringify({ seconds: Number(totalOf(aftraj).toFixed(2)), peakMb: aftraj.peakMb, growth }));
}

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    quick: { type: 'boolean', default: false },
    data: { type: 'string', default: process.env['AGENTFORESIGHT_DATA'] ?? '../shared/data' },
  },
});
const aftraj = path.join(values.data, 'aftraj');
if (values.help) process.stdout.write(USAGE);
else if (!existsSync(aftraj)) {
  process.stderr.write(`no ${aftraj}: give the folder that holds aftraj/ as --data\n`);
  process.exitCode = 2;
} else await main(values.data, values.quick);
