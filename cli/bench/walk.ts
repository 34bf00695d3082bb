import { baselines, readBaseline } from '../../bench/baselines/index.js';
import { configuredAuditor, walkedBaseline } from '../../bench/configured-auditor.js';
import { type BenchCorpus, benchRuns } from '../../bench/datasets.js';
import type { Protocol } from '../../bench/protocol.js';
import { type WalkedAuditor, walk } from '../../bench/walk.js';
import { type WalkSummary, WalkTally } from '../../bench/walk-tally.js';
import { runFiles } from '../../collectors/importers/run-files.js';
import { type InputError, readAuditorConfig, SetupError } from '../../core/index.js';
import { complain } from '../complain.js';
import { ExitCode } from '../exit-code.js';
import { count } from '../figures.js';
import { Progress } from '../progress.js';
import { refuseAsInput } from '../refuse-as-input.js';
import { walkText } from './walk/print.js';

export interface WalkCommandOptions {
  /** `signals`, or the file of a configuration: an auditor's, or with `baseline` that baseline's. */
  readonly auditor: string;
  readonly baseline?: string;
  readonly protocol: Protocol;
  readonly out: string;
  readonly split: 'train' | 'test' | 'all';
  readonly ownSchedule?: boolean;
  readonly toEnd?: boolean;
  readonly concurrency?: number;
  readonly deadlineMs?: number;
  /** Only the first runs, in the order of the files. */
  readonly limit?: number;
  readonly retryFailed?: boolean;
  readonly json?: boolean;
  readonly keepGoing?: boolean;
  readonly maxTurnMb?: number;
}

/** `agentforesight bench walk`: what an auditor says of labelled runs, into a file that can be scored again and again. */
export async function benchWalk(
  paths: readonly string[],
  options: WalkCommandOptions,
  stop: AbortSignal,
): Promise<number> {
  const { protocol, out, json } = options;
  const walked = await walkedAuditor(options);
  refuseAsInput('--out', out, await runFiles(paths));
  let bad = 0;
  let summary: WalkSummary;
  try {
    const corpus = await corpusOf(paths, options, () => bad++, stop);
    summary = await walkCorpus(corpus, walked, options, stop);
  } catch (error) {
    if (!stop.aborted) throw error;
    complain(`stopped; the same command goes on where ${out} ends`);
    return ExitCode.interrupted;
  }
  const { auditor } = walked;
  console.log(
    json
      ? JSON.stringify({ auditor, protocol, out, unreadable: bad, ...summary })
      : walkText(summary, { auditor, protocol, out }),
  );
  return exitCodeOf(summary, bad);
}

async function walkCorpus(
  { runs }: BenchCorpus,
  walked: WalkedAuditor,
  options: WalkCommandOptions,
  signal: AbortSignal,
): Promise<WalkSummary> {
  const wanted = runs.slice(0, options.limit);
  const progress = new Progress('walk', { isAlone: true, total: wanted.length });
  const tally = new WalkTally();
  try {
    // The same file takes more of the same corpus later, so all its datasets are named.
    const datasets = runs.map(({ dataset }) => dataset);
    for await (const one of walk(wanted, walked, { ...options, datasets, signal })) {
      tally.add(one);
      progress.show(tally.runs, `${count(tally.alarms, 'alarm')}${failedNote(tally.failed)}`);
    }
  } finally {
    progress.end();
  }
  return tally.summary();
}

function exitCodeOf({ audits, failedRuns, failures }: WalkSummary, bad: number): number {
  const failed = Object.values(failures).reduce((sum, number) => sum + number, 0);
  if (failed > 0)
    complain(`${count(failed, 'audit')} failed, in ${count(failedRuns, 'run')}; --retry-failed asks again`);
  if (bad > 0) return ExitCode.badInput;
  return audits > 0 && failed === audits ? ExitCode.fault : ExitCode.ok;
}

async function walkedAuditor({ auditor, baseline, protocol }: WalkCommandOptions): Promise<WalkedAuditor> {
  const { env } = process;
  if (baseline !== undefined) {
    if (auditor === 'signals')
      throw new SetupError(
        'bench',
        '--baseline asks a model, and signals is none',
        "Give the baseline's configuration as --auditor; docs/bench/baselines.md tells its fields",
      );
    return walkedBaseline(
      await readBaseline(baselines, { name: baseline, configFile: auditor, protocol, env }),
    );
  }
  if (auditor === 'signals') return configuredAuditor({ kind: 'signals', scored: true }, env);
  return configuredAuditor(await readAuditorConfig(auditor), env);
}

async function corpusOf(
  paths: readonly string[],
  { split, keepGoing, maxTurnMb }: WalkCommandOptions,
  onBad: () => void,
  signal: AbortSignal,
): Promise<BenchCorpus> {
  const passOver = (error: InputError) => {
    onBad();
    complain(error.message);
  };
  const corpus = await benchRuns(paths, {
    split: split === 'all' ? undefined : split,
    reading: {
      maxTurnBytes: maxTurnMb === undefined ? undefined : maxTurnMb * 2 ** 20,
      onWarning: (warning) => complain(`warning: ${warning}`),
      onBadLine: keepGoing ? passOver : undefined,
    },
    onBadFile: keepGoing ? passOver : undefined,
    signal,
  });
  if (corpus.unlabelled > 0)
    complain(`${count(corpus.unlabelled, 'run')} without a label passed over: nothing tells what is right`);
  return corpus;
}

function failedNote(failed: number): string {
  return failed > 0 ? `, ${count(failed, 'audit')} failed` : '';
}
