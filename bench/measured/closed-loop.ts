/** The operating points of the closed loop's marks, measured on AFTraj-2K's test split. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { signalsAuditor } from '../../core/index.js';
import { operatingPointOf } from '../closed-loop/operating-point.js';
import { benchRuns } from '../datasets.js';
import { readPerSampleFile } from '../per-sample/read-per-sample.js';
import type { Prediction } from '../prediction.js';
import { walkRun } from '../walk-run.js';

const USAGE = `Usage: npm run bench:closed-loop -- [--data FOLDER]

Recall, delays, attribution and false-alarm rate per prefix, of the signals auditor (strict walk of AFTraj-2K's test split) and
of the third party's DeepSeek-V4-Flash (its predictions, unsafe runs alone: of safe ones it was asked once).
AFTraj is read from ../shared/data, AGENTFORESIGHT_DATA or --data. The last line is one JSON object.
`;

const { values } = parseArgs({
  options: { data: { type: 'string' }, help: { type: 'boolean', default: false } },
});
if (values.help) console.log(USAGE);
else await measure(values.data ?? process.env['AGENTFORESIGHT_DATA'] ?? '../shared/data');

async function measure(data: string): Promise<void> {
  const folder = path.join(data, 'aftraj');
  const { runs } = await benchRuns([folder], { split: 'test' });
  const auditor = signalsAuditor();
  const { signal } = new AbortController();
  const walked: Prediction[] = [];
  for (const run of runs) walked.push(await walkRun(run, auditor, { protocol: 'strict', signal }));
  const flash = await readPerSampleFile(path.join(folder, 'third-party-deepseek-v4-flash.per_sample.jsonl'));
  const isOf = (source: string) => (one: Prediction) =>
    one.truth.label.kind === 'safe' || one.truth.label.source === source;
  const points = [
    operatingPointOf('signals, all failures', walked),
    operatingPointOf('signals, natural failures', walked.filter(isOf('natural'))),
    operatingPointOf('signals, injected failures', walked.filter(isOf('injected'))),
    operatingPointOf(
      'DeepSeek-V4-Flash',
      flash.predictions.filter(({ truth }) => truth.label.kind === 'unsafe'),
    ),
  ];
  const safe = runs.filter(({ run }) => run.label.kind === 'safe');
  const turns = safe.reduce((sum, { run }) => sum + run.turns.length, 0) / safe.length;
  console.log('| auditor | recall | attribution | alarms on clean prefixes | late by 0, 1, 2 … steps |');
  console.log('|---|---|---|---|---|');
  for (const { name, recall, attribution, falseAlarms, cleanPrefixes, reached, delays } of points) {
    const shown = delays.map((share) => (share * 100).toFixed(0)).join(' ');
    console.log(
      `| ${name} | ${(recall * 100).toFixed(1)} of ${reached} | ${(attribution * 100).toFixed(1)} | ${falseAlarms} of ${cleanPrefixes} | ${shown} |`,
    );
  }
  console.log(`\nTurns of a safe run, on average: ${turns.toFixed(2)}`);
  console.log(JSON.stringify({ points, turns }));
}
