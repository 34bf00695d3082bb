import { SetupError } from '../../core/index.js';
import type { Sample } from '../sample.js';
import { crossValidate, type Fold } from './cross-validate.js';
import { type Leak, leaksOf } from './leaks.js';
import { PrefixRows } from './prefix-rows.js';
import { ProbeCorpus } from './probe-corpus.js';
import { ngramProbe, noTextProbe, type ProbeKind, type ProbeName } from './probe-kind.js';
import { type StrictScore, strictScore, type WalkedRun } from './strict-score.js';

export interface ProbeOptions {
  /** Labelled runs that are looked at, at most; whole tasks of them, drawn by hash. Default: 5,000. */
  readonly mostRuns?: number | undefined;
  /** Of the cross-validation. Default: 5. */
  readonly folds?: number | undefined;
  /** Of folds, trees and intervals. Default: 1. */
  readonly seed?: number | undefined;
  readonly probes?: readonly ProbeName[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ProbeReport {
  /** Labelled runs that were there, and those of them that were looked at. */
  readonly labelled: number;
  readonly runs: number;
  readonly prefixes: number;
  readonly groups: number;
  readonly probes: Readonly<Partial<Record<ProbeName, ProbeFindings>>>;
}

export interface ProbeFindings {
  readonly overall: StrictScore;
  /** Of the unsafe runs only those whose label has that source; all safe ones. */
  readonly natural: StrictScore;
  readonly injected: StrictScore;
  readonly domains: Readonly<Record<string, StrictScore>>;
  /** What tells most, the worst first. */
  readonly leaks: readonly Leak[];
}

const INNER_FOLDS = 2;
const RESAMPLES = 1_000;
const LEAKS = 15;
/** With fewer of either there is nothing to learn from, let alone to hold out. */
const FEWEST_RUNS = 10;

/**
 * How much of the labels can be guessed without understanding anything: small models are fitted to tell whether a prefix
 * ends with the decisive error, and walk held-out runs. What they score is what an auditor's score must be seen against.
 * @throws SetupError when there are too few labelled runs, and the signal's reason
 */
export async function runProbe(
  samples: AsyncIterable<Sample> | Iterable<Sample>,
  options: ProbeOptions = {},
): Promise<ProbeReport> {
  const { mostRuns = 5_000, folds = 5, seed = 1, probes = ['no-text', 'n-gram'] } = options;
  const signal = options.signal ?? new AbortController().signal;
  const corpus = new ProbeCorpus(mostRuns);
  for await (const sample of samples) {
    signal.throwIfAborted();
    corpus.add(sample);
  }
  const rows = new PrefixRows(corpus.runs());
  const groups = new Set(rows.runs.map(({ group }) => group)).size;
  requireEnough(rows, groups, folds);
  const noText = noTextProbe(rows);
  const kinds = { 'no-text': () => noText, 'n-gram': () => ngramProbe(rows, noText, corpus.ngrams) };
  const findings: Partial<Record<ProbeName, ProbeFindings>> = {};
  for (const name of probes) findings[name] = await probed(kinds[name](), rows, { folds, seed, signal });
  return {
    labelled: corpus.labelled,
    runs: rows.runs.length,
    prefixes: rows.count,
    groups,
    probes: findings,
  };
}

async function probed(
  kind: ProbeKind,
  rows: PrefixRows,
  { folds, seed, signal }: { folds: number; seed: number; signal: AbortSignal },
): Promise<ProbeFindings> {
  const results: readonly Fold[] = await crossValidate(
    kind,
    rows,
    { folds, innerFolds: INNER_FOLDS, seed },
    signal,
  );
  const walked = results.flatMap((fold) => fold.walked);
  const scored = (some: readonly WalkedRun[]) => strictScore(some, RESAMPLES, seed);
  const ofSource = (source: string) =>
    scored(walked.filter(({ run }) => run.error === undefined || run.error.source === source));
  const byDomain = Map.groupBy(walked, ({ run }) => run.domain);
  return {
    overall: scored(walked),
    natural: ofSource('natural'),
    injected: ofSource('injected'),
    domains: Object.fromEntries([...byDomain].sort().map(([domain, some]) => [domain, scored(some)])),
    leaks: leaksOf(results, rows, LEAKS, seed),
  };
}

function requireEnough({ runs }: PrefixRows, groups: number, folds: number): void {
  const unsafe = runs.filter(({ error }) => error !== undefined).length;
  const safe = runs.length - unsafe;
  if (safe >= FEWEST_RUNS && unsafe >= FEWEST_RUNS && groups >= folds * INNER_FOLDS) return;
  throw new SetupError(
    'probe',
    `${safe} safe and ${unsafe} unsafe runs in ${groups} groups are too few to probe`,
    `Give at least ${FEWEST_RUNS} of each, in ${folds * INNER_FOLDS} groups, or leave the probe out`,
  );
}
