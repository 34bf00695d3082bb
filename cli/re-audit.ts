import { inOrder } from '../collectors/pipeline/in-order.js';
import type { RecordedRun, RunAudits } from '../collectors/recorded-run.js';
import {
  AuditError,
  type Auditor,
  type AuditRecord,
  auditorName,
  type Calibration,
  createRuntime,
  type Diagnostics,
  type JsonlRecorder,
  jsonlRecorder,
  type Runtime,
  SetupError,
} from '../core/index.js';
import { complain } from './complain.js';
import { EarlierAudits } from './re-audit/earlier-audits.js';

export interface ReAuditOptions {
  readonly auditor: Auditor;
  /** A run log for the audits. Runs that stand in it whole are not asked about again. */
  readonly log?: string | undefined;
  /** Runs side by side; the turns of one come one after the other. Default 1. */
  readonly concurrency?: number | undefined;
  /**
   * Thresholds on the score. With `uncalibrated` nothing alarms, so every prefix that is due is asked about; without
   * any, the first alarm is final.
   */
  readonly calibration?: Calibration | undefined;
  readonly deadlineMs?: number | undefined;
  /** What is under way is left unfinished, and does not count as done. */
  readonly stop: AbortSignal;
}

export interface ReAuditedRun {
  readonly run: RecordedRun;
  readonly audits: RunAudits;
  /** Whether the audits are the log's, from an earlier call. */
  readonly resumed: boolean;
}

/**
 * Audits recorded runs again, each turn by turn through a real session that never halts, and hands them over in their
 * order. After `stop` it ends early; called again with the same log, it takes up where it stopped.
 * @throws InputError for a log by another auditor
 * @throws SetupError when the model server refuses the key, or the log cannot be written
 */
export async function* reAudited(
  runs: AsyncIterable<RecordedRun>,
  options: ReAuditOptions,
): AsyncGenerator<ReAuditedRun> {
  const { auditor, log, concurrency = 1, calibration, deadlineMs, stop } = options;
  const earlier = log === undefined ? undefined : await EarlierAudits.of(log, auditorName(auditor));
  const recorder = new Audits(log === undefined ? undefined : jsonlRecorder(log));
  const faults = new Faults();
  const runtime = createRuntime({
    auditor: stoppable(auditor, stop),
    recorder,
    onAlarm: 'observe',
    diagnostics: faults,
    ...(calibration && { calibration }),
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
  try {
    yield* wholeOnes(inOrder(untilStopped(withOwnIds(runs), stop), concurrency, reAudit));
  } finally {
    await recorder.close();
  }

  async function reAudit(run: RecordedRun): Promise<ReAuditedRun | undefined> {
    const done = earlier?.of(run.runId, distinctTurns(run));
    if (done) return { run, audits: done, resumed: true };
    const isWhole = await walk(run, runtime, () => stop.aborted || faults.first !== undefined);
    if (faults.first) throw faults.first;
    const audits = recorder.take(run.runId);
    return isWhole ? { run, audits, resumed: false } : undefined;
  }
}

/** @returns whether the run was walked to its end */
async function walk(run: RecordedRun, runtime: Runtime, isStopped: () => boolean): Promise<boolean> {
  const { runId, task, tools, domain } = run;
  const session = runtime.openSession({
    runId,
    task,
    tools,
    given: [],
    ...(domain && { framework: domain }),
  });
  for (const turn of run.turns) {
    if (isStopped()) break;
    // A recorded run has its final order: parallel branches were folded when it was read.
    await session.submit({ ...turn, path: [] });
  }
  if (!isStopped()) await session.close({ status: 'completed' });
  const isWhole = !isStopped();
  await session.close({ status: 'aborted' });
  return isWhole;
}

/** Keeps what is said of each run until it is taken, and writes it to the log if there is one. */
class Audits {
  readonly #log: JsonlRecorder | undefined;
  readonly #byRun = new Map<string, { [Kind in keyof RunAudits]: RunAudits[Kind][number][] }>();

  constructor(log: JsonlRecorder | undefined) {
    this.#log = log;
  }

  async append(record: AuditRecord): Promise<void> {
    if (record.type === 'run') this.#byRun.set(record.runId, { verdicts: [], failures: [], notes: [] });
    else if (record.type === 'verdict') this.#byRun.get(record.runId)?.verdicts.push(record);
    else if (record.type === 'failure') this.#byRun.get(record.runId)?.failures.push(record);
    else if (record.type === 'note') this.#byRun.get(record.runId)?.notes.push(record);
    await this.#log?.append(record);
  }

  take(runId: string): RunAudits {
    const audits = this.#byRun.get(runId) ?? { verdicts: [], failures: [], notes: [] };
    this.#byRun.delete(runId);
    return audits;
  }

  async close(): Promise<void> {
    await this.#log?.close();
  }
}

/** Failed audits are counted where the runs are; what makes going on pointless ends the work. */
class Faults implements Diagnostics {
  first: SetupError | undefined;
  readonly #told = new Set<string>();

  report({ code, message, cause }: Parameters<Diagnostics['report']>[0]): void {
    if (code === 'audit-failure-auth')
      this.first ??= new SetupError('auditor', message, 'Check the key and the address', { cause });
    else if (code === 'record-dropped')
      this.first ??= new SetupError('log', `a record cannot be written: ${message}`, 'Make room, and go on', {
        cause,
      });
    else if (!code.startsWith('audit-failure-') && !this.#told.has(code)) {
      this.#told.add(code);
      complain(`warning: ${code}: ${message}`);
    }
  }
}

/** An audit that is under way need not be waited for when nobody will read it. */
function stoppable(auditor: Auditor, stop: AbortSignal): Auditor {
  return {
    name: auditorName(auditor),
    ...(auditor.schedule && { schedule: auditor.schedule }),
    async audit(request, options) {
      try {
        stop.throwIfAborted();
        return await auditor.audit(request, { ...options, signal: AbortSignal.any([options.signal, stop]) });
      } catch (cause) {
        // A kind that is tried again, whichever record comes last.
        if (stop.aborted) throw new AuditError('unavailable', 'stopped', { cause });
        throw cause;
      }
    },
    asksInPart: (prefix) => auditor.asksInPart?.(prefix) ?? false,
  };
}

async function* untilStopped(
  runs: AsyncIterable<RecordedRun>,
  stop: AbortSignal,
): AsyncGenerator<RecordedRun> {
  for await (const run of runs) {
    // The walk of a quick auditor never leaves the microtask queue, where no signal is heard.
    await new Promise((resolve) => setImmediate(resolve));
    if (stop.aborted) return;
    yield run;
  }
}

/** Files may repeat an id; in one log the second would take the first one's place. */
async function* withOwnIds(runs: AsyncIterable<RecordedRun>): AsyncGenerator<RecordedRun> {
  const seen = new Map<string, number>();
  for await (const run of runs) {
    const times = (seen.get(run.runId) ?? 0) + 1;
    seen.set(run.runId, times);
    yield times === 1 ? run : { ...run, runId: `${run.runId}#${times}` };
  }
}

async function* wholeOnes(runs: AsyncIterable<ReAuditedRun | undefined>): AsyncGenerator<ReAuditedRun> {
  for await (const run of runs) if (run) yield run;
}

/** Submitting an id twice counts once. */
function distinctTurns({ turns }: RecordedRun): number {
  return new Set(turns.map(({ id }, index) => id ?? index)).size;
}
