import {
  type Feedback,
  type FeedbackRecord,
  InputError,
  type Outcome,
  type ReadOptions,
  type Redactor,
  readFeedback,
  secretRedactor,
} from '../../core/index.js';
import { importerOf } from '../importers/detect-format.js';
import type { Importer } from '../importers/importer.js';
import { readRunLog, runLogImporter } from '../importers/run-log.js';
import type { RecordedRun } from '../recorded-run.js';
import type { Sample } from '../sample.js';
import type { Source } from '../source.js';
import type { StageDecision, StageResult } from '../stage.js';
import { asJson, CompletenessCount, type FileCount } from './ingest/completeness.js';
import { fingerprintOf, type InputFile, inputFiles } from './ingest/input-files.js';
import { KnownRuns } from './ingest/known-runs.js';
import { type Admission, leftOut } from './ingest/leave-out.js';
import { redactedRun } from './ingest/redact-run.js';

export interface IngestOptions {
  /** Files of any known format, folders of them, and `postgres://` URLs of databases that recorders write. */
  readonly paths: readonly string[];
  /** Under which the runs may be used: an SPDX identifier, such as `"CC-BY-4.0"`, or words. */
  readonly licence?: string | undefined;
  /** Share of the runs to take, chosen by their ids. Default: 1. */
  readonly sample?: number | undefined;
  /**
   * Default `recorded`: of our own logs, only runs recorded with consent. `assume` also takes those of which nobody was
   * asked, on your word; never those without consent.
   */
  readonly consent?: 'recorded' | 'assume' | undefined;
  /** How runs of our own logs may have ended. Default: completed, failed, halted. */
  readonly outcomes?: readonly Outcome['status'][] | undefined;
  /** For imported runs; our own logs were redacted when they were written. Default: core's `secretRedactor()`. */
  readonly redactor?: Redactor | false | undefined;
  /** Passes over lines and files that cannot be read, and counts them. */
  readonly keepGoing?: boolean | undefined;
  readonly maxTurnBytes?: number | undefined;
  /** Told of what is passed over. */
  readonly onBadInput?: ((error: InputError) => void) | undefined;
  readonly onWarning?: ((warning: string) => void) | undefined;
}

const WHOLE: readonly Outcome['status'][] = ['completed', 'failed', 'halted'];

/** Runs of our own logs and of any format that there is an importer for, on their way to training data. */
export function ingestSource(options: IngestOptions): Source {
  const { paths, licence, sample = 1, consent = 'recorded', outcomes = WHOLE, maxTurnBytes } = options;
  const { redactor = secretRedactor(), keepGoing = false } = options;
  const redact = redactor === false ? 'nothing' : options.redactor ? 'custom' : 'secrets';
  const admission: Admission = { outcomes, consent, sample };
  let completeness = new CompletenessCount();

  return {
    name: 'ingest',
    options: {
      ...admission,
      redact,
      keepGoing,
      ...(licence !== undefined && { licence }),
      ...(maxTurnBytes !== undefined && { maxTurnBytes }),
    },
    fingerprint: async (signal) => fingerprintOf(await inputFiles(paths), signal),
    async *read(signal) {
      completeness = new CompletenessCount();
      const known = new KnownRuns();
      const files = await withImporters(await inputFiles(paths));
      const feedback = await feedbackIn(files, maxTurnBytes);
      for (const file of files) {
        const count = completeness.begin(file.source, file.importer?.format ?? 'unknown');
        const passOver = (error: InputError) => {
          count.unreadable(error);
          options.onBadInput?.(error);
        };
        try {
          for await (const run of runsOf(file, readOptions(passOver))) {
            signal.throwIfAborted();
            yield result(run, file, { count, known, feedback: feedback.get(run.runId) });
          }
        } catch (error) {
          if (!(error instanceof InputError) || !keepGoing) throw error;
          passOver(error);
        }
      }
    },
    report() {
      const whole = completeness.report();
      return { found: asJson(whole.total), whole: asJson(whole) };
    },
  };

  function readOptions(passOver: (error: InputError) => void): ReadOptions {
    const { onWarning } = options;
    return { maxTurnBytes, onWarning, onBadLine: keepGoing ? passOver : undefined };
  }

  function result(run: RecordedRun, file: RunFile, { count, known, feedback }: Reading): StageResult {
    count.read(run, feedback !== undefined);
    const drop = (rule: string, reason: string): StageResult => {
      count.dropped(rule);
      return { samples: [], decisions: [{ id: run.runId, rule, verdict: 'drop', reason }] };
    };
    const left = leftOut(run, admission);
    if (left) return drop(left.rule, left.reason);
    const id = known.admit(run);
    if (id === undefined) return drop('duplicate', 'the same run, turn by turn, was read before');
    const isOurs = run.life !== undefined;
    const kept = redactor === false || isOurs ? { run, isRedacted: false } : redactedRun(run, redactor);
    count.taken(kept.isRedacted);
    const taken = toSample(kept.run, { id, file, licence, feedback });
    return { samples: [taken], decisions: isOurs ? [consentDecision(id, run)] : [] };
  }
}

interface RunFile extends InputFile {
  /** Absent for a file of no known format. */
  readonly importer?: Importer | undefined;
  readonly fault?: unknown;
}

interface Reading {
  readonly count: FileCount;
  readonly known: KnownRuns;
  readonly feedback: Feedback | undefined;
}

/** What is wrong with a file is told when it is its turn. One after the other: some are parsed whole for it. */
async function withImporters(files: readonly InputFile[]): Promise<readonly RunFile[]> {
  const known: RunFile[] = [];
  for (const file of files) {
    const importer = await (file.log ? Promise.resolve(runLogImporter) : importerOf(file.path)).then(
      (found) => ({ importer: found }),
      (fault: unknown) => ({ fault }),
    );
    known.push({ ...file, ...importer });
  }
  return known;
}

async function* runsOf(
  { path, log, importer, fault }: RunFile,
  options: ReadOptions,
): AsyncGenerator<RecordedRun> {
  if (!importer) throw fault;
  yield* log ? readRunLog(log, options) : importer.read(path, options);
}

/** The newest of each run, in whichever log it stands: mostly another process has heard it. */
async function feedbackIn(
  files: readonly RunFile[],
  maxTurnBytes: number | undefined,
): Promise<ReadonlyMap<string, FeedbackRecord>> {
  const newest = new Map<string, FeedbackRecord>();
  for (const { path, log, importer } of files) {
    if (importer?.format !== 'run-log') continue;
    for (const [runId, record] of await readFeedback(log ?? path, { maxTurnBytes }))
      if (record.at >= (newest.get(runId)?.at ?? record.at)) newest.set(runId, record);
  }
  return newest;
}

interface Origin {
  readonly id: string;
  readonly file: RunFile;
  readonly licence: string | undefined;
  readonly feedback: Feedback | undefined;
}

function toSample(run: RecordedRun, { id, file, licence, feedback }: Origin): Sample {
  const { task, tools, turns, domain, thread, reference, label } = run;
  const place = run.source.startsWith(file.path) ? run.source.slice(file.path.length) : '';
  return {
    id,
    task,
    tools,
    turns,
    domain,
    ...(thread !== undefined && { thread }),
    reference,
    feedback: feedback && { value: feedback.value, by: feedback.by, comment: feedback.comment },
    label,
    provenance: { format: file.importer?.format ?? 'unknown', source: `${file.source}${place}`, licence },
  };
}

function consentDecision(id: string, { life }: RecordedRun): StageDecision {
  const reason = life?.consent ? 'those concerned agreed' : 'assumed: nobody was asked';
  return { id, rule: 'consent', verdict: 'keep', reason, evidence: { outcome: life?.outcome ?? null } };
}
