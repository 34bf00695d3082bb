/**
 * How much of AFTraj's labels small models guess without understanding a run: as published, scrubbed, and without the runs
 * whose texts no scrubbing makes unseen. Grouped cross-validation over all rows; nothing is chosen on what it scores.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ProbeName } from '../../collectors/probe/probe-kind.js';
import { type ProbeFindings, runProbe } from '../../collectors/probe/run-probe.js';
import type { StrictScore } from '../../collectors/probe/strict-score.js';
import type { Sample } from '../../collectors/sample.js';
import { scrubStage } from '../../collectors/stages/scrub.js';
import { afTrajSamples } from './aftraj-samples.js';

const USAGE = `Usage: npm run bench:probe -- [--data FOLDER] [--quick]

Exact-F1, FAR, Step-Acc and ASS of the no-text and the n-gram probe over AFTraj's 2,276 runs, strict protocol: as published,
scrubbed, and scrubbed without runs of fixed texts. Takes some minutes. AFTraj is read from ../shared/data,
AGENTFORESIGHT_DATA or --data.

  --data FOLDER   holds aftraj/ as published
  --quick         the no-text probe only

Tables and, as the last line, one JSON object of Exact-F1s (released code's definition) go to stdout, progress to stderr.
`;

async function scrubbed(samples: readonly Sample[], fixedTexts: 'flag' | 'drop'): Promise<readonly Sample[]> {
  const stage = scrubStage({ fixedTexts });
  const { signal } = new AbortController();
  await stage.prepare?.(each(samples), signal);
  const kept: Sample[] = [];
  for (const sample of samples) kept.push(...(await stage.process(sample, signal)).samples);
  return kept;
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

function printScores(
  corpus: string,
  probe: ProbeName,
  { overall, natural, injected, domains }: ProbeFindings,
): void {
  const rows: [string, StrictScore][] = [
    ['overall', overall],
    ['natural', natural],
    ['injected', injected],
    ...Object.entries(domains),
  ];
  console.log(`\n${corpus}, ${probe} probe, strict\n`);
  console.log(
    '| runs | safe / unsafe | Exact-F1, paper | Exact-F1, released | FAR | Step-Acc | ASS |\n|---|---|---|---|---|---|---|',
  );
  for (const [name, { safe, unsafe, exactF1Paper, exactF1, far, stepAcc, ass }] of rows) {
    const cells = [exactF1Paper, exactF1, far, stepAcc].map((estimate) =>
      estimate
        ? `${estimate.value.toFixed(1)} [${estimate.low.toFixed(1)}, ${estimate.high.toFixed(1)}]`
        : '-',
    );
    console.log(`| ${[name, `${safe} / ${unsafe}`, ...cells, ass ?? '-'].join(' | ')} |`);
  }
}

function printLeaks({ leaks }: ProbeFindings): void {
  const domains = Object.keys(leaks[0]?.domains ?? {});
  console.log(`\n| what tells | gain, % | points lost when shuffled | ${domains.join(' | ')} |`);
  console.log(`|---|---|---|${domains.map(() => '---|').join('')}`);
  for (const { feature, gain, drop, domains: drops } of leaks.slice(0, 8))
    console.log(`| ${[feature, gain, drop, ...domains.map((domain) => drops[domain])].join(' | ')} |`);
}

async function main(data: string, probes: readonly ProbeName[]): Promise<void> {
  const raw = await afTrajSamples(path.join(data, 'aftraj'));
  const corpora = {
    raw: async () => raw,
    scrubbed: () => scrubbed(raw, 'flag'),
    'scrubbed, fixed texts dropped': () => scrubbed(raw, 'drop'),
  };
  const headline: Record<string, Record<string, number | undefined>> = {};
  for (const [corpus, make] of Object.entries(corpora)) {
    const began = performance.now();
    const report = await runProbe(await make(), { probes });
    const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
    process.stderr.write(`${corpus}: ${report.runs} runs, ${report.groups} groups, ${seconds} s\n`);
    const entries = Object.entries(report.probes) as [ProbeName, ProbeFindings][];
    for (const [name, findings] of entries) {
      printScores(corpus, name, findings);
      printLeaks(findings);
    }
    headline[corpus] = {
      ...Object.fromEntries(
        entries.flatMap(([name, { overall, natural }]) => [
          [name, overall.exactF1?.value],
          [`${name}, natural`, natural.exactF1?.value],
        ]),
      ),
      seconds,
    };
  }
  console.log(`\n${JSON.stringify(headline)}`);
}

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    quick: { type: 'boolean' },
    data: { type: 'string', default: process.env['AGENTFORESIGHT_DATA'] ?? '../shared/data' },
  },
});
if (values.help) process.stdout.write(USAGE);
else if (!existsSync(path.join(values.data, 'aftraj'))) {
  process.stderr.write(
    `no ${path.join(values.data, 'aftraj')}: give the folder that holds aftraj/ as --data\n`,
  );
  process.exitCode = 2;
} else await main(values.data, values.quick ? ['no-text'] : ['no-text', 'n-gram']);
