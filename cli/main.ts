#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { type AuditOptions, audit } from './audit.js';
import { addBenchCommands } from './bench-commands.js';
import { type CalibrateOptions, calibrate } from './calibrate.js';
import { type CollectOptions, collect } from './collect.js';
import { type CollectWorkerOptions, collectWorker } from './collect-worker.js';
import { complain } from './complain.js';
import { demo } from './demo.js';
import { EXIT_CODES, ExitCode } from './exit-code.js';
import { finish } from './finish.js';
import { date, positiveNumber, seedNumber, share, shareOrAll, wholeNumber } from './option-values.js';
import { type ReplayOptions, replay } from './replay.js';
import { type ReportOptions, report } from './report.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  complain(`needs Node.js 22.13 or newer, and this is ${process.version}. Update Node.js.`);
  process.exit(ExitCode.badInput);
}

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
// A reader that has seen enough, such as head, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') complain(`the output cannot be written: ${error.message}`);
  process.exit(error.code === 'EPIPE' ? ExitCode.ok : ExitCode.fault);
});

const program = new Command('agentforesight')
  .description('Online auditor for multi-agent systems.')
  .version(version())
  .addHelpText('after', EXIT_CODES)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? ExitCode.ok : ExitCode.badInput));

program
  .command('audit')
  .summary('walk recorded runs and judge every step')
  .description(
    'Walks recorded runs prefix by prefix with the embedded signals auditor, or another, and prints step, agent, verdict and reason, ' +
      'beside what was said when they were recorded. ' +
      'Reads run logs, AFTraj, Who&When, ATIF, LangSmith, Langfuse, OTLP, AutoGen, MetaGPT, smolagents and chat messages, by content. ' +
      'It flags visible symptoms; it does not judge correctness.',
  )
  .argument('<paths...>', 'files, or folders of them')
  .option('--auditor <file>', "another auditor's configuration, as JSON")
  .option(
    '--calibration <file>',
    'thresholds on its score, as calibrate writes them: they decide what is an alarm',
  )
  .option('--json', 'one JSON object per run, then one summary object')
  .option('--timeline', 'every step of every run, also where there are many')
  .option('--run <id>', 'only the run with this id, at length')
  .option('--fail-on-alarm', 'exit with 1 if any alarm was raised')
  .option('--keep-going', 'report bad lines and files, read the rest, exit with 2')
  .option('--max-turn-mb <n>', 'longest text of one turn, in MiB (default 32)', positiveNumber)
  .addHelpText('after', EXIT_CODES)
  .action(async (paths: string[], options: AuditOptions) => finish(audit(paths, options, stopping.signal)));

program
  .command('report')
  .summary('what the audits of run logs say, take, and miss')
  .description(
    'Adds up run logs: which runs would have been halted, at which step, why, and what a halt would have spared; failed audits, ' +
      'time, model calls and their cost, scores, and what auditors made of several said. Meant for runs under onAlarm: "observe", ' +
      'before alarms are enforced; any run log will do.',
  )
  .argument('<logs...>', 'run logs, or folders of them')
  .option('--html <file>', 'write it as one page, with plots and the turns around each alarm')
  .option('--json', 'one JSON object')
  .option('--since <date>', 'only runs that began then or later', date)
  .option('--until <date>', 'only runs that began before', date)
  .option('--keep-going', 'report bad lines and files, read the rest, exit with 2')
  .option('--max-turn-mb <n>', 'longest text of one turn, in MiB (default 32)', positiveNumber)
  .addHelpText('after', EXIT_CODES)
  .action(async (logs: string[], options: ReportOptions) => finish(report(logs, options, stopping.signal)));

program
  .command('replay')
  .summary('audit recorded runs again with another auditor, and tell what it says otherwise')
  .description(
    'Walks recorded runs turn by turn with the auditor of a configuration, halting nothing, and compares its verdicts with the ' +
      'recorded ones: run by run, and on every turn that both were asked about. Reads what audit reads; runs without recorded ' +
      'audits are audited, and compared with nothing.',
  )
  .argument('<paths...>', 'files, or folders of them')
  .requiredOption('--auditor <file>', "the auditor's configuration, as JSON")
  .option('--log <file>', 'a run log for the new audits; called again, it takes up where it was stopped')
  .option('--concurrency <n>', 'runs side by side (default 1)', wholeNumber)
  .option('--deadline-ms <n>', 'longest wait for one verdict (default 10000)', positiveNumber)
  .option('--json', 'one JSON object per run, then one summary object')
  .option('--keep-going', 'report bad lines and files, read the rest, exit with 2')
  .option('--max-turn-mb <n>', 'longest text of one turn, in MiB (default 32)', positiveNumber)
  .addHelpText('after', EXIT_CODES)
  .action(async (paths: string[], options: ReplayOptions) => finish(replay(paths, options, stopping.signal)));

program
  .command('calibrate')
  .summary("thresholds on an auditor's score, from healthy runs alone")
  .description(
    'Sets step-dependent thresholds so that at most a given share of healthy runs has an alarm at any prefix, says how sure ' +
      'that is, and writes them for createRuntime({ calibration }). The scores come from run logs (recorded with ' +
      '`calibration: uncalibrated`) or, with --auditor, from auditing recorded runs anew. See docs/calibration.md.',
  )
  .requiredOption(
    '--runs <paths...>',
    'healthy runs: files, or folders of them; rows labelled as failed are passed over',
  )
  .option('--auditor <who>', "signals, or the file of an auditor's configuration: audit the runs anew")
  .option('--far <share>', 'healthy runs that may have an alarm', share, 0.05)
  .option('--confidence <share>', 'of the interval', share, 0.95)
  .option('--seed <n>', 'which runs go to which half', seedNumber, 1)
  .addOption(
    new Option('--split <part>', 'rows of a dataset with a published test split')
      .choices(['train', 'test', 'all'])
      .default('train'),
  )
  .option('--own-schedule', "ask when the auditor's own schedule does, not at every turn")
  .option('--log <file>', 'a run log for the new audits; called again, it takes up where it was stopped')
  .option('--concurrency <n>', 'runs side by side (default 4)', wholeNumber)
  .option('--deadline-ms <n>', 'longest wait for one verdict (default 600000)', positiveNumber)
  .option('--out <file>', 'where the thresholds go', 'calibration.json')
  .option(
    '--check <paths...>',
    'other healthy runs, to compare with the promise; of a dataset, its other split',
  )
  .option('--failed <paths...>', 'labelled failed runs, to tell how many get an alarm')
  .option('--max-turn-mb <n>', 'longest text of one turn, in MiB (default 32)', positiveNumber)
  .option('--json', 'the whole report as one JSON object')
  .addHelpText('after', EXIT_CODES)
  .action(async (options: CalibrateOptions) => finish(calibrate(options, stopping.signal)));

program
  .command('collect')
  .summary('training data from recorded runs, in stages that can be stopped and taken up')
  .description(
    'Takes run logs and runs in other formats, known by content, through the stages of a configuration, and exports what is left. ' +
      'Each stage leaves its results and a manifest in the folder; called again, it takes up where it was stopped, and runs again ' +
      'only what options or input have changed for. See docs/collectors/pipeline.md.',
  )
  .argument('<paths...>', 'files, folders of them, or postgres:// URLs of logs')
  .requiredOption('--out <folder>', 'where results, manifests and exports go')
  .option('--config <file>', 'stages, exports and their options, as JSON')
  .option('--sample <share>', 'of the runs, chosen by their ids', shareOrAll)
  .addOption(
    new Option('--consent <how>', 'assume: also run logs of which nobody was asked').choices([
      'recorded',
      'assume',
    ]),
  )
  .option('--licence <id>', 'of the runs, such as CC-BY-4.0')
  .option('--no-redact', 'leave secrets in imported runs')
  .option('--until <stage>', 'stop after this stage')
  .option('--retry-undecided', 'ask again where a model had failed')
  .option('--queue <url>', 'postgres:// database through which collect-worker processes share the work')
  .option('--json', 'the manifests as one JSON object')
  .option('--keep-going', 'report bad lines and files, read the rest, exit with 2')
  .option('--max-turn-mb <n>', 'longest text of one turn, in MiB (default 32)', positiveNumber)
  .addHelpText('after', EXIT_CODES)
  .action(async (paths: string[], options: CollectOptions) =>
    finish(collect(paths, options, stopping.signal)),
  );

program
  .command('collect-worker')
  .summary('work for collect --queue, in as many processes and on as many hosts as you like')
  .description(
    'Takes samples of whatever stage a collect command with the same --queue and --config is at, until it is stopped. ' +
      'Killed, its samples are taken by others. Leave the password out of the URL: PGPASSWORD and ~/.pgpass are read. ' +
      'See docs/collectors/scale.md.',
  )
  .requiredOption('--queue <url>', 'the postgres:// database')
  .requiredOption('--config <file>', 'the configuration that collect was given')
  .addHelpText('after', EXIT_CODES)
  .action(async (options: CollectWorkerOptions) => finish(collectWorker(options, stopping.signal)));

addBenchCommands(program, stopping.signal);

program
  .command('demo')
  .summary('a LangGraph team that makes a mistake, and is halted')
  .description(
    'Runs a real LangGraph team twice: once with a wrong step, which is halted, and once healthy, untouched. No key, no network.',
  )
  .option('--json', 'both runs as one JSON object')
  .action(async (options: { json?: boolean }) => finish(demo(options)));

await program.parseAsync();

/** The manifest lies one folder above the sources, and two above the built file. */
function version(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as { version: string })
        .version;
    } catch {
      // The other place.
    }
  }
  return 'unknown';
}
