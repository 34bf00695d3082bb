/** Collects AFTraj's files in a process of its own, and prints what that took: `one-size.ts AFTRAJ-FOLDER WORK-FOLDER`. */
import path from 'node:path';
import type { AfTrajCounts } from '../../../collectors/exporters/aftraj.js';
import { testRunIds } from '../../../collectors/importers/run-files.js';
import {
  exporterKinds,
  filterStage,
  ingestSource,
  runPipeline,
  splitStage,
} from '../../../collectors/index.js';
import { scriptedJudge } from './scripted-judge.js';

export interface OneSize {
  readonly runs: number;
  /** By step, in their order. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly peakMb: number;
  /** Of one stage's file. */
  readonly fileMb: number;
  readonly exported: number;
}

const [data = '', work = ''] = process.argv.slice(2);
const published = await testRunIds([path.join(data, 'aftraj_safe.parquet')]);
const seconds: Record<string, number> = {};
let since = performance.now();

const manifests = await runPipeline({
  // To the byte as published: AFTraj's few look-alikes of secrets stay.
  source: ingestSource({ paths: [data], licence: 'CC-BY-4.0', redactor: false }),
  stages: [filterStage({ judge: scriptedJudge() }), splitStage(published.size > 0 ? { published } : {})],
  exporters: [exporterKinds.aftraj.create({}), exporterKinds.card.create({ title: 'AFTraj, collected' })],
  folder: work,
  onProgress: () => {},
  onStep: ({ name }) => {
    const now = performance.now();
    seconds[name] = Number(((now - since) / 1_000).toFixed(3));
    since = now;
  },
});

const named = (name: string) => manifests.find((manifest) => manifest.name === name);
const exported = named('export-aftraj')?.found as Pick<AfTrajCounts, 'safe' | 'unsafe'>;
const result: OneSize = {
  runs: named('ingest')?.counts?.out ?? 0,
  seconds,
  peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
  fileMb: Math.round((named('split')?.file?.bytes ?? 0) / 2 ** 20),
  exported: exported.safe + exported.unsafe,
};
console.log(JSON.stringify(result));
