import { readAfTrajTestSplit } from '../collectors/importers/aftraj-split.js';
import { importerOf } from '../collectors/importers/detect-format.js';
import { runFiles } from '../collectors/importers/run-files.js';
import type { RecordedRun, RunLabel } from '../collectors/recorded-run.js';
import { groupKeys, sampleKey } from '../collectors/split/group-keys.js';
import { KeyGroups } from '../collectors/split/key-groups.js';
import { KnownRuns } from '../collectors/stages/ingest/known-runs.js';
import { type FeedbackRecord, InputError, type ReadOptions, readFeedback } from '../core/index.js';
import type { BenchRun } from './bench-run.js';

export interface BenchRunsOptions {
  /** Default: all runs, those of a corpus without a split too. */
  readonly split?: 'train' | 'test' | undefined;
  readonly reading?: ReadOptions | undefined;
  /** Told of a file that cannot be read, which is then passed over. Without it the first one is thrown. */
  readonly onBadFile?: ((error: InputError) => void) | undefined;
  /** Told after each run, with how many were read. */
  readonly onRead?: ((runs: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The labelled runs of some files. */
export interface BenchCorpus {
  /** In the order of the files, and of each file. Their ids are unique within a dataset. */
  readonly runs: readonly BenchRun[];
  /** Runs that say neither that nothing went wrong nor where, and can be no evidence. */
  readonly unlabelled: number;
  /** Runs that were read before, turn by turn, under the same id; only the first one is there. */
  readonly repeated: number;
  /** Groups with a test run in them, also where no test runs were asked for. */
  readonly testGroups: ReadonlySet<string>;
}

/** Whether a run outside the test split has a task or a history in common with one inside: what is fitted on it has seen the answer. */
export function sharesGroupWithTest(
  { split, group }: Pick<BenchRun, 'split' | 'group'>,
  { testGroups }: Pick<BenchCorpus, 'testGroups'>,
): boolean {
  return split !== 'test' && testGroups.has(group);
}

/**
 * The labelled runs of files and folders, in whatever format there is an importer for. Groups are made over all runs that are
 * read, whichever split is asked for: that takes the whole corpus, so all of it is kept in memory.
 * @throws InputError when a file cannot be read, no run has a label, or none is of the split
 */
export async function benchRuns(
  paths: readonly string[],
  options: BenchRunsOptions = {},
): Promise<BenchCorpus> {
  const { split: wanted, signal } = options;
  const known = new KnownRuns();
  const groups = new KeyGroups();
  const read: Omit<BenchRun, 'group'>[] = [];
  const counts = { unlabelled: 0, repeated: 0 };
  for await (const { run, dataset, split } of placedRuns(await runFiles(paths), options)) {
    signal?.throwIfAborted();
    const id = known.admit(run);
    if (id === undefined) {
      counts.repeated++;
      continue;
    }
    // An unlabelled run may still be what ties two labelled ones together.
    groups.join([
      ...groupKeys({ ...run, id, provenance: { format: dataset, source: run.source } }),
      ...(run.group === undefined ? [] : [`group ${run.group}`]),
    ]);
    if (isLabelled(run)) read.push({ run: { ...run, runId: id }, dataset, split });
    else counts.unlabelled++;
    options.onRead?.(read.length + counts.unlabelled);
  }
  const grouped = read.map((bench) => ({
    ...bench,
    group: groups.nameOf(sampleKey(bench.run.runId)) as string,
  }));
  const tested = grouped.filter(({ split }) => split === 'test');
  const runs = wanted === undefined ? grouped : grouped.filter(({ split }) => split === wanted);
  if (runs.length === 0) throw nothingToBench(paths, wanted, { ...counts, labelled: grouped.length });
  return { runs, ...counts, testGroups: new Set(tested.map(({ group }) => group)) };
}

interface PlacedRun {
  readonly run: RecordedRun;
  readonly dataset: string;
  readonly split: 'train' | 'test' | undefined;
}

async function* placedRuns(files: readonly string[], options: BenchRunsOptions): AsyncGenerator<PlacedRun> {
  for (const file of files) {
    try {
      yield* runsOf(file, options.reading ?? {});
    } catch (error) {
      if (!(error instanceof InputError) || !options.onBadFile) throw error;
      options.onBadFile(error);
    }
  }
}

async function* runsOf(file: string, reading: ReadOptions): AsyncGenerator<PlacedRun> {
  const { format, read } = await importerOf(file);
  const testIds = format === 'aftraj' ? await readAfTrajTestSplit(file) : undefined;
  const feedback = format === 'run-log' ? await readFeedback(file, reading) : undefined;
  for await (const run of read(file, reading)) {
    const split = testIds ? (testIds.has(run.runId) ? 'test' : 'train') : run.split;
    const label = run.label ?? labelFrom(run, feedback?.get(run.runId));
    yield { run: { ...run, label }, dataset: datasetOf(format, run), split };
  }
}

/** The halves of Who&When are reported apart: they differ in everything but their shape. */
function datasetOf(format: string, { domain }: RecordedRun): string {
  if (format !== 'who-and-when') return format;
  return domain === 'hand-crafted' ? 'who-and-when-hc' : 'who-and-when-ag';
}

/** Of our own log, a run that went to its end and was found good is safe. That one was found bad does not say at which step. */
function labelFrom({ life }: RecordedRun, feedback: FeedbackRecord | undefined): RunLabel | undefined {
  const isWhole = life?.outcome === 'completed' && !life.incomplete && life.supersededBy === undefined;
  return isWhole && feedback?.value === 1 ? { kind: 'safe' } : undefined;
}

function isLabelled(run: RecordedRun): run is BenchRun['run'] {
  return run.label !== undefined;
}

function nothingToBench(
  paths: readonly string[],
  split: 'train' | 'test' | undefined,
  { labelled, unlabelled }: { readonly labelled: number; readonly unlabelled: number },
): InputError {
  const place = { file: paths.join(', ') };
  if (labelled > 0)
    return new InputError(
      place,
      `none of the ${labelled} labelled runs is known to be of the ${split} split`,
      'Leave out the split, or give AFTraj with its splits_test.json beside it',
    );
  return new InputError(
    place,
    unlabelled === 0 ? 'holds no runs' : `none of the ${unlabelled} runs has a label`,
    'A bench compares with labels: give a labelled dataset, such as those of agentforesight bench fetch',
  );
}
