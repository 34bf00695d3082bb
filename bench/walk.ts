import { digestOf } from '../collectors/pipeline/digest.js';
import { inOrder } from '../collectors/pipeline/in-order.js';
import { type JsonValue, portableSchedule, SetupError } from '../core/index.js';
import { type BenchRun, truthOf } from './bench-run.js';
import type { FittedFloor } from './floors/floor.js';
import { inputDigest } from './input-digest.js';
import type { PredictedAudit } from './prediction.js';
import type { PredictedRun } from './prediction-schema.js';
import { asWritten, PREDICTIONS_VERSION, type PredictionsHeader } from './predictions-file.js';
import { PredictionsLog } from './predictions-log.js';
import type { Protocol } from './protocol.js';
import { walkRun } from './walk-run.js';

/** Who is walked, and what a predictions file says of him. */
export interface WalkedAuditor extends Pick<PredictionsHeader, 'auditor' | 'auditorDigest' | 'model'> {
  /** One for all runs, or one for each, as floors have it. */
  readonly auditorOf: FittedFloor;
}

export interface WalkOptions {
  readonly protocol: Protocol;
  /** Where the predictions go. Runs that it holds already, by the same auditor, are not asked about again. */
  readonly out: string;
  /** Ask only where the auditor's own schedule does, as a runtime would. Default: at every prefix of the protocol. */
  readonly ownSchedule?: boolean | undefined;
  readonly toEnd?: boolean | undefined;
  /** Runs side by side; the prefixes of one come one after the other. Default 4. */
  readonly concurrency?: number | undefined;
  readonly deadlineMs?: number | undefined;
  /** Ask again about runs that the file holds with failed audits. */
  readonly retryFailed?: boolean | undefined;
  /** Of the whole corpus, where `runs` are but some of its runs. Default: those of the runs. */
  readonly datasets?: readonly string[] | undefined;
  readonly onAudit?: ((audit: PredictedAudit) => void) | undefined;
  /** Its abort leaves a file that another walk takes up. */
  readonly signal: AbortSignal;
}

export interface WalkedRun {
  readonly predicted: PredictedRun;
  /** Whether it was in the file. */
  readonly resumed: boolean;
}

/**
 * Walks runs side by side and hands their predictions over in the runs' order, each once it is written. So the file says
 * nothing of who was quicker, and a walk that was killed and taken up leaves what an undisturbed one would, but for times.
 * @throws InputError for a file with predictions of another walk
 * @throws SetupError when the file cannot be written, or as soon as a model server refuses the key
 * @throws the signal's reason
 */
export async function* walk(
  runs: readonly BenchRun[],
  walked: WalkedAuditor,
  options: WalkOptions,
): AsyncGenerator<WalkedRun> {
  const { protocol, toEnd, concurrency = 4, deadlineMs, retryFailed = false } = options;
  const log = await PredictionsLog.open(options.out, headerOf(runs, walked, options));
  const ending = new AbortController();
  const { signal } = ending;
  const stop = () => ending.abort(options.signal.reason);
  // Not `AbortSignal.any`: each audit listens, and a composed signal makes every listener dear.
  options.signal.addEventListener('abort', stop);
  if (options.signal.aborted) stop();
  try {
    for await (const one of inOrder(untilAborted(runs, signal), concurrency, walkOne)) {
      if (!one.resumed || isTruthNew(one.predicted)) append(one.predicted);
      yield one;
    }
    signal.throwIfAborted();
  } finally {
    options.signal.removeEventListener('abort', stop);
    await log.close();
  }

  async function walkOne(run: BenchRun): Promise<WalkedRun> {
    const truth = truthOf(run);
    const asked = { truth, inputDigest: inputDigest(run) };
    const before = log.earlier(truth);
    if (before && isStillTrue(before, asked) && !(retryFailed && hasFailures(before)))
      return { predicted: { ...before, truth }, resumed: true };
    const auditor = walked.auditorOf(run);
    const schedule = options.ownSchedule ? (auditor.schedule ?? portableSchedule()) : undefined;
    const { audits } = await walkRun(run, auditor, {
      protocol,
      toEnd,
      deadlineMs,
      schedule,
      signal,
      onAudit: notice,
    });
    signal.throwIfAborted();
    return { predicted: { ...asked, audits }, resumed: false };
  }

  /** Labels and groups may have been mended since, which changes nothing in what was said. */
  function isTruthNew(predicted: PredictedRun): boolean {
    const before = log.earlier(predicted.truth);
    return before !== undefined && truthDigest(before) !== truthDigest(predicted);
  }

  function append(predicted: PredictedRun): void {
    try {
      log.append(predicted);
    } catch (cause) {
      ending.abort(cause);
      throw cause;
    }
  }

  function notice(audit: PredictedAudit): void {
    options.onAudit?.(audit);
    const { failure, calls } = audit;
    // Of several auditors one may be refused and the others judge on: that would be another auditor's score.
    if (failure?.kind === 'auth' || calls.some(({ failed }) => failed === 'auth'))
      ending.abort(keyRefused(failure?.message ?? 'one of several auditors was turned away'));
  }
}

function headerOf(
  runs: readonly BenchRun[],
  { auditor, auditorDigest, model }: WalkedAuditor,
  { protocol, toEnd = false, ownSchedule, datasets }: WalkOptions,
): PredictionsHeader {
  return {
    type: 'predictions',
    v: PREDICTIONS_VERSION,
    auditor,
    protocol,
    toEnd,
    schedule: ownSchedule ? 'own' : 'every',
    model,
    auditorDigest,
    datasets: [...new Set(datasets ?? runs.map(({ dataset }) => dataset))].sort(),
    createdAt: new Date().toISOString(),
  };
}

/** Whether what was said of a run would be asked and said again: it reads the same, and is asked at the same prefixes. */
function isStillTrue(before: PredictedRun, now: Omit<PredictedRun, 'audits'>): boolean {
  const { inputDigest: read = now.inputDigest, truth } = before;
  return (
    read === now.inputDigest && truth.turns === now.truth.turns && truth.label.kind === now.truth.label.kind
  );
}

function hasFailures({ audits }: PredictedRun): boolean {
  return audits.some(({ failure }) => failure !== undefined);
}

function truthDigest(predicted: PredictedRun): string {
  // Without its undefined fields, which a file has none of.
  return digestOf(asWritten(predicted).truth as unknown as JsonValue);
}

function keyRefused(message: string): SetupError {
  return new SetupError(
    'bench',
    `the model server refuses the key: ${message}`,
    'Check the key and the address',
  );
}

async function* untilAborted<Item>(items: Iterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  for (const item of items) {
    // The walk of a quick auditor never leaves the microtask queue, where no signal is heard.
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return;
    yield item;
  }
}
