/** Collects so many runs in a process of its own, and prints what that took: `one-size.ts DATA RUNS WORK-FOLDER`. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { exportAfTraj } from '../../collectors/exporters/aftraj.js';
import { exportCard } from '../../collectors/exporters/card.js';
import { writeJsonLines } from '../../collectors/exporters/json-lines.js';
import type { Sample } from '../../collectors/sample.js';
import type { StageResult } from '../../collectors/stage.js';
import { splitStage } from '../../collectors/stages/split.js';
import { publishedTest, replicatedRuns } from './replicated-runs.js';
import { scriptedFilter, scriptedJudge } from './scripted-filter.js';
import { runStage, samplesOf } from './stage-files.js';

export interface OneSize {
  readonly runs: number;
  /** By stage, in their order. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly peakMb: number;
  /** Of one stage's file. */
  readonly fileMb: number;
  readonly exported: number;
}

const [data = '', runs = '', work = ''] = process.argv.slice(2);
const count = Number(runs);
const file = (stage: string) => path.join(work, `${stage}.jsonl`);
const seconds: Record<string, number> = {};

async function timed<Result>(name: string, job: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await job();
  seconds[name] = Number(((performance.now() - start) / 1_000).toFixed(3));
  return result;
}

async function* ingested(samples: AsyncIterable<Sample>): AsyncGenerator<StageResult> {
  for await (const sample of samples) yield { samples: [sample], decisions: [] };
}

await timed('import', () => writeJsonLines(file('import'), ingested(replicatedRuns(data, count))));
const filter = scriptedFilter(scriptedJudge());
const filtered = await timed('filter', () => runStage(filter, file('import'), file('filter')));
// A published split names the runs of the first round only.
const split = splitStage(count <= 2_276 ? { published: await publishedTest(data) } : {});
const placed = await timed('split', () => runStage(split, file('filter'), file('split')));
const exported = await timed('export', async () => {
  const counts = await exportAfTraj(samplesOf(file('split')), path.join(work, 'aftraj'));
  const card = { title: 'AFTraj, collected again', stages: [filtered, placed] };
  await exportCard(samplesOf(file('split')), path.join(work, 'README.md'), card);
  return counts.safe + counts.unsafe;
});
const peakMb = Math.round(process.resourceUsage().maxRSS / 1_024);
const fileMb = Math.round((await stat(file('split'))).size / 2 ** 20);
console.log(JSON.stringify({ runs: count, seconds, peakMb, fileMb, exported } satisfies OneSize));
