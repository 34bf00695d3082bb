/**
 * How many requests a second a walk makes of a model server that takes no time, beside the bare `openai` client making the
 * same requests: whether a walk is limited by the server, or by us.
 *
 * Ours: every prefix rendered, counted in tokens and checked, every reply read, every run's line on disk (`fdatasync`).
 * The bare client's: bodies that lie ready in memory, posted; replies parsed as JSON, and dropped.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import OpenAI from 'openai';
import type { BenchRun } from '../bench-run.js';
import { configuredAuditor } from '../configured-auditor.js';
import { benchRuns } from '../datasets.js';
import { walk } from '../walk.js';
import { type ChatBody, recordedBodies } from './walk/recorded-bodies.js';

const USAGE = `Usage: npm run bench:walk -- [--data FOLDER] [--rounds N] [--concurrency N]

Requests per second of a strict walk over AFTraj's test split with the chat auditor, and of the bare openai client posting the
same bodies at the same concurrency, round by round in turn, against a local server in a process of its own that answers at
once. AFTraj is read from ../shared/data, AGENTFORESIGHT_DATA or --data.

  --rounds N        of each, after one that is not counted (default 7)
  --concurrency N   runs, or requests, at once (default 16)

The table and, as the last line, one JSON object go to stdout, progress to stderr.
`;

interface Round {
  readonly requests: number;
  readonly ms: number;
}

async function main(data: string, rounds: number, concurrency: number): Promise<void> {
  const { runs } = await benchRuns([path.join(data, 'aftraj')], { split: 'test' });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'agentforesight-walk-'));
  const server = fork(path.join(import.meta.dirname, 'walk/safe-server.ts'));
  try {
    const [port] = (await once(server, 'message')) as [number];
    const baseURL = `http://127.0.0.1:${port}/v1`;
    const walkOnce = (at: string, name: string) => walked(runs, at, path.join(folder, name), concurrency);
    const bodies = await recordedBodies(baseURL, async (at) => void (await walkOnce(at, 'recorded')));
    process.stderr.write(`${runs.length} runs, ${bodies.length} requests\n`);
    const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
    const ours: Round[] = [];
    const bare: Round[] = [];
    for (let round = 0; round <= rounds; round++) {
      const pair = {
        bare: () => posted(client, bodies, concurrency),
        ours: () => walkOnce(baseURL, `walk-${round}`),
      };
      const order = round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const);
      const times = new Map<'bare' | 'ours', Round>();
      for (const side of order) times.set(side, await pair[side]());
      const [b, o] = [times.get('bare') as Round, times.get('ours') as Round];
      process.stderr.write(`bare ${rate(b).toFixed(0)}/s, walk ${rate(o).toFixed(0)}/s\n`);
      if (round === 0) continue;
      bare.push(b);
      ours.push(o);
    }
    print(ours, bare);
  } finally {
    server.disconnect();
    await rm(folder, { recursive: true });
  }
}

async function walked(
  runs: readonly BenchRun[],
  baseURL: string,
  out: string,
  concurrency: number,
): Promise<Round> {
  const chat = configuredAuditor({ kind: 'chat', baseURL, model: 'safe', concurrency });
  const { signal } = new AbortController();
  const began = performance.now();
  let requests = 0;
  for await (const { predicted } of walk(runs, chat, { protocol: 'strict', out, concurrency, signal })) {
    for (const { verdict, calls } of predicted.audits) {
      if (verdict?.kind !== 'continue') throw new Error(`no Continue on ${predicted.truth.runId}`);
      requests += calls.length;
    }
  }
  return { requests, ms: performance.now() - began };
}

async function posted(client: OpenAI, bodies: readonly ChatBody[], concurrency: number): Promise<Round> {
  const left = bodies.values();
  const began = performance.now();
  const post = async () => {
    for (const body of left) await client.post('/chat/completions', { body });
  };
  await Promise.all(Array.from({ length: concurrency }, post));
  return { requests: bodies.length, ms: performance.now() - began };
}

function print(ours: readonly Round[], bare: readonly Round[]): void {
  const ratios = ours.map((round, at) => rate(round) / rate(bare[at] as Round));
  const spread = (numbers: readonly number[], digits: number) =>
    `${median(numbers).toFixed(digits)} | ${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)}`;
  console.log('| | median | rounds |\n|---|---|---|');
  console.log(`| walk, requests/s | ${spread(ours.map(rate), 0)} |`);
  console.log(`| bare client, requests/s | ${spread(bare.map(rate), 0)} |`);
  console.log(`| ratio | ${spread(ratios, 2)} |\n`);
  console.log(JSON.stringify({ ratio: Number(median(ratios).toFixed(3)) }));
}

function rate({ requests, ms }: Round): number {
  return (1_000 * requests) / ms;
}

function median(numbers: readonly number[]): number {
  const ascending = numbers.toSorted((one, other) => one - other);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] as number;
  return ascending.length % 2 === 1 ? upper : (upper + (ascending[middle - 1] as number)) / 2;
}

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    data: { type: 'string', default: process.env['AGENTFORESIGHT_DATA'] ?? '../shared/data' },
    rounds: { type: 'string', default: '7' },
    concurrency: { type: 'string', default: '16' },
  },
});
if (values.help) process.stdout.write(USAGE);
else if (!existsSync(path.join(values.data, 'aftraj'))) {
  process.stderr.write(
    `no ${path.join(values.data, 'aftraj')}: give the folder that holds aftraj/ as --data\n`,
  );
  process.exitCode = 2;
} else await main(values.data, Number(values.rounds), Number(values.concurrency));
