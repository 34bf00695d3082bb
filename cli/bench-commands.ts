import { type Command, Option } from 'commander';
import { PROTOCOLS } from '../bench/protocol.js';
import { benchClosedLoop, type ClosedLoopOptions } from './bench/closed-loop.js';
import { benchFetch, type FetchCommandOptions } from './bench/fetch.js';
import { type FloorsOptions, floors } from './bench/floors.js';
import { benchReportCommand, type ReportCommandOptions } from './bench/report.js';
import { type ScoreOptions, score } from './bench/score.js';
import { benchThresholds, type ThresholdsOptions } from './bench/thresholds.js';
import { benchWalk, type WalkCommandOptions } from './bench/walk.js';
import { EXIT_CODES } from './exit-code.js';
import { finish } from './finish.js';
import { positiveNumber, seedNumber, share, wholeNumber } from './option-values.js';

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
  bench
    .command('walk')
    .summary('what an auditor says of labelled runs, prefix by prefix')
    .description(
      'Walks labelled runs as if they ran now: at each prefix that the protocol names the auditor is asked, until its first alarm. ' +
        'Predictions go into a file, a line a run; called again with the same file, the walk goes on where it was stopped. ' +
        'See docs/bench/walk.md.',
    )
    .argument('<paths...>', 'files of labelled runs, or folders of them')
    .requiredOption('--out <file>', 'where the predictions go')
    .option('--auditor <who>', "signals, or the file of an auditor's configuration, as JSON", 'signals')
    .option('--baseline <name>', 'a published method; --auditor is then its configuration')
    .addOption(
      new Option('--protocol <name>', 'which prefixes are asked about').choices(PROTOCOLS).default('strict'),
    )
    .addOption(
      new Option('--split <part>', 'of a dataset with a published test split')
        .choices(['train', 'test', 'all'])
        .default('all'),
    )
    .option('--own-schedule', "ask when the auditor's own schedule does, not at every prefix")
    .option('--to-end', 'ask on after the first alarm, for scores at every step')
    .option('--concurrency <n>', 'runs side by side (default 4)', wholeNumber)
    .option('--deadline-ms <n>', 'longest wait for one verdict (default 600000)', positiveNumber)
    .option('--limit <n>', 'only the first runs', wholeNumber)
    .option('--retry-failed', 'ask again about runs that the file holds with failed audits')
    .option('--json', 'the summary as one JSON object')
    .option('--keep-going', 'report bad lines and files, walk the rest, exit with 2')
    .option('--max-turn-mb <n>', 'longest text of one turn, in MiB (default 32)', positiveNumber)
    .addHelpText('after', EXIT_CODES)
    .action(async (paths: string[], options: WalkCommandOptions) => finish(benchWalk(paths, options, stop)));

  // floors
  bench
    .command('floors')
    .summary('what rules that understand nothing score')
    .description(
      'Fits rules and small models that understand nothing to the training runs of each dataset, walks its test runs with them, and ' +
        'prints what they score: an auditor that does not beat them has shown nothing. The signals auditor stands beside them. ' +
        'See docs/bench/floors.md.',
    )
    .argument('<paths...>', 'files of labelled runs, or folders of them')
    .addOption(
      new Option('--protocol <name>', 'which prefixes are asked about')
        .choices(['strict', 'official', 'both'])
        .default('both'),
    )
    .option('--out <folder>', 'where the predictions go, a file for each floor and protocol')
    .option('--json', 'one JSON object')
    .addHelpText('after', EXIT_CODES)
    .action(async (paths: string[], options: FloorsOptions) => finish(floors(paths, options, stop)));

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
  bench
    .command('report')
    .summary("the paper's tables, ours beside the published figures, and the floors always")
    .description(
      'Scores predictions and writes the tables of the paper, the plane of false alarms and errors found, and what it all cost, as ' +
        'Markdown, JSON, SVG and one HTML page. Floors that no file holds are fitted and walked, which needs --data. ' +
        'See docs/bench/report.md.',
    )
    .argument(
      '<predictions...>',
      'files of bench walk and bench floors, or per_sample.jsonl of the released harness',
    )
    .option('--data <paths...>', 'the whole datasets, training rows too')
    .option(
      '--ablation <stages...>',
      'predictions of checkpoints: base=FILE, stage1=FILE, stage2=FILE, both=FILE',
    )
    .option('--out <folder>', 'where the report goes', 'bench-report')
    .option('--json', 'the tables as one JSON object, besides')
    .addHelpText('after', EXIT_CODES)
    .action(async (files: string[], options: ReportCommandOptions) =>
      finish(benchReportCommand(files, options, stop)),
    );

  // thresholds
  bench
    .command('thresholds')
    .summary("what an auditor's score is worth at every threshold, and where to put it")
    .description(
      'Sweeps the scores of training or validation rows that were walked with --to-end, and picks operating points for a ' +
        'false-alarm rate. With --check the points are looked at once on held-out rows; looks are written down beside them. ' +
        'Both may be one file: of its rows, those of the test split are held out. See docs/bench/thresholds.md.',
    )
    .argument('<predictions>', 'what bench walk --to-end has written')
    .option('--far <share>', 'healthy runs that may have an alarm', share, 0.05)
    .option('--check <predictions>', 'of the test split: looked at once')
    .option('--html <file>', 'write it as one page, with the trade-off curves')
    .option('--seed <n>', 'of resamples, and of the halves of the conformal point', seedNumber, 1)
    .option('--json', 'all of it, the whole sweep too, as one JSON object')
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string, options: ThresholdsOptions) => finish(benchThresholds(file, options)));

  // closed-loop
  bench
    .command('closed-loop')
    .summary('does acting on alarms pay?')
    .description(
      'Simulates a team with a known fault rate under no auditor, halting, halting and running again, and recovering with a hint, against ' +
        'plain resampling at equal spend, for auditors of known quality; and finds up to which false-alarm rate each pays. ' +
        'For a real graph, runPolicies of agentforesight/bench. See docs/bench/closed-loop.md.',
    )
    .option('--config <file>', 'team, auditors and plane, as JSON')
    .option('--seed <n>', 'of the luck', seedNumber)
    .option('--html <file>', 'write it as one page, with the break-even curves')
    .option('--markdown <file>', 'write it as Markdown')
    .option('--json', 'all of it as one JSON object')
    .addHelpText('after', EXIT_CODES)
    .action(async (options: ClosedLoopOptions) => finish(benchClosedLoop(options, stop)));
}
