import type { Command } from 'commander';
import { benchFetch, type FetchCommandOptions } from './bench/fetch.js';
import { type ScoreOptions, score } from './bench/score.js';
import { EXIT_CODES } from './exit-code.js';
import { finish } from './finish.js';
import { seedNumber } from './option-values.js';

/** `agentforesight bench …`: one command a step, so that what an earlier one has left can be looked at anew. */
export function addBenchCommands(program: Command, stop: AbortSignal): void {
  const bench = program
    .command('bench')
    .summary('how good an auditor is, on labelled runs')
    .description(
      'Walks labelled runs with an auditor and scores what it says, beside floors that understand nothing and the published ' +
        'numbers. Predictions are files: an old one can be scored anew. See docs/bench/.',
    );

  // fetch
  bench
    .command('fetch')
    .summary('download the public datasets')
    .description(
      'Downloads AFTraj-2K and Who&When to where the bench reads them, and checks that they are the files that its numbers are ' +
        'about. Called again, it goes on from what came, and leaves alone what is there. See docs/bench/datasets.md.',
    )
    .argument('[datasets...]', 'aftraj, who-and-when (default: both)')
    .option('--out <folder>', 'where they go', 'data')
    .option('--from <url>', 'a mirror that has the files of --out under the same paths')
    .option('--json', 'what is there, as one JSON object')
    .addHelpText('after', EXIT_CODES)
    .action(async (names: string[], options: FetchCommandOptions) =>
      finish(benchFetch(names, options, stop)),
    );

  // walk

  // floors

  // score
  bench
    .command('score')
    .summary('what predictions are worth, with intervals')
    .description(
      'Compares first alarms with labels: Exact-F1 by both definitions, Step-Acc, Agent-Acc, ASS, FAR, alarms on clean prefixes, ' +
        'failed audits, time and tokens; by dataset and its parts, with 95 % intervals from a bootstrap over tasks. Reads what bench walk ' +
        'writes, and per_sample.jsonl of the released AgentForesight harness. See docs/bench/metrics.md.',
    )
    .argument('<predictions...>', 'files, each scored by itself')
    .option(
      '--data <paths...>',
      'the dataset they were made on: who made the mistakes, how, and which runs share a task',
    )
    .option('--by <parts>', 'of domain, source, split, length, with commas between them (default: all)')
    .option('--seed <n>', 'of the resamples', seedNumber, 1)
    .option('--json', 'one JSON object')
    .addHelpText('after', EXIT_CODES)
    .action(async (files: string[], options: ScoreOptions) => finish(score(files, options, stop)));

  // report

  // thresholds

  // closed-loop
}
