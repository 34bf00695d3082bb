import { z } from 'zod';
import {
  AuditHalt,
  type Auditor,
  type AuditRecord,
  createRuntime,
  type Diagnostics,
  type ModelCall,
  memoryRecorder,
  messageOf,
  type Recorder,
  type Runtime,
  type RuntimeOptions,
  type Turn,
} from '../../core/index.js';
import type { Policy } from './policy.js';

/** One run of the host on one task, as the results file keeps it. */
export const attemptSchema = z.object({
  task: z.string(),
  policy: z.enum(['none', 'halt', 'rerun', 'recover']),
  /** 0-based among the runs of this task under this policy. */
  attempt: z.int().nonnegative(),
  /** `failed`: the host threw an error of its own. */
  ended: z.enum(['completed', 'halted', 'failed']),
  solved: z.boolean(),
  /** For a vote among runs, where the host's answers can be compared. */
  answer: z.string().optional(),
  cost: z.number().nonnegative(),
  /** Audits that alarmed, one for each time the run was stopped or sent back. */
  alarms: z.int().nonnegative(),
  recoveries: z.int().nonnegative(),
  error: z.string().optional(),
});

export type Attempt = Readonly<z.infer<typeof attemptSchema>>;

/** What one run said and took. */
export interface Spent<Result> {
  /** Everything that the team said, what was undone later included. */
  readonly turns: readonly Turn[];
  /** Requests that auditors made to models. */
  readonly calls: readonly ModelCall[];
  readonly audits: number;
  /** Absent where the run was halted or failed. */
  readonly result?: Result | undefined;
}

export interface AttemptParts<Result> {
  readonly policy: Policy;
  readonly attempt: number;
  readonly auditor: Auditor;
  /** What else the user wants of the runtime. */
  readonly options: Omit<RuntimeOptions, 'auditor' | 'onAlarm' | 'maxRecoveries' | 'recorder'>;
  readonly run: (runtime: Runtime) => Promise<Result>;
  readonly isSolved: (result: Result) => boolean | Promise<boolean>;
  readonly answerOf?: ((result: Result) => string) | undefined;
  readonly costOf: (spent: Spent<Result>) => number;
}

/** Nobody judges; turns are taken down all the same, since they tell the cost. */
const NOBODY: Auditor = { name: 'nobody', audit: () => ({ kind: 'continue' }) };
const NEVER = { due: () => false };

/**
 * Runs the host once, under a runtime of its own, and takes down what came of it.
 * @throws what `isSolved`, `answerOf` and `costOf` throw; an error of the host is an attempt that failed
 */
export async function runAttempt<Result>(task: string, parts: AttemptParts<Result>): Promise<Attempt> {
  const { policy, attempt, auditor, options, run, isSolved, answerOf, costOf } = parts;
  const recorder = memoryRecorder();
  const runtime = runtimeFor(policy, auditor, recorder, options);
  const ended = await endOf(run, runtime);
  await runtime.flush();
  const spent = spentIn(recorder.records, policy.kind === 'none');
  // Some frameworks tell of a halt in the result, and throw nothing.
  const wasHalted = ended.wasHalted || lastOutcome(recorder.records) === 'halted';
  const base = {
    task,
    policy: policy.kind,
    attempt,
    alarms: spent.alarms,
    recoveries: recorder.records.filter(
      (record) => record.type === 'verdict' && record.enforced === 'recover',
    ).length,
  };
  if (wasHalted || !('result' in ended)) {
    const what = wasHalted
      ? ({ ended: 'halted' } as const)
      : ({ ended: 'failed', error: messageOf(ended.error) } as const);
    return { ...base, ...what, solved: false, cost: costOf(spent) };
  }
  const { result } = ended;
  const solved = await isSolved(result);
  const answer = answerOf && { answer: answerOf(result) };
  return { ...base, ended: 'completed', solved, ...answer, cost: costOf({ ...spent, result }) };

  async function endOf(host: typeof run, under: Runtime) {
    try {
      return { result: await host(under), wasHalted: false };
    } catch (error) {
      return { error, wasHalted: error instanceof AuditHalt };
    }
  }
}

function runtimeFor(
  policy: Policy,
  auditor: Auditor,
  recorder: Recorder,
  options: AttemptParts<unknown>['options'],
): Runtime {
  const common = { ...options, recorder, diagnostics: options.diagnostics ?? SILENT };
  switch (policy.kind) {
    case 'none': {
      const { calibration: _ofAnother, ...rest } = common;
      return createRuntime({ ...rest, auditor: NOBODY, schedule: NEVER, onAlarm: 'observe' });
    }
    case 'recover':
      return createRuntime({
        ...common,
        auditor,
        onAlarm: 'recover',
        maxRecoveries: policy.recoveries,
      });
    default:
      return createRuntime({ ...common, auditor, onAlarm: 'halt' });
  }
}

/** A bench makes thousands of runtimes; each would say the same once. */
const SILENT: Diagnostics = { report: () => {} };

function spentIn(records: readonly AuditRecord[], isUnaudited: boolean) {
  const turns = records.flatMap((record) =>
    record.type === 'turn' && record.turn.given !== true ? [record.turn] : [],
  );
  const judged = isUnaudited
    ? []
    : records.filter((record) => record.type === 'verdict' || record.type === 'failure');
  const notes = [
    ...judged.flatMap(({ notes = [] }) => notes),
    ...records.flatMap((record) => (record.type === 'note' ? [record.note] : [])),
  ];
  return {
    turns,
    audits: judged.length,
    calls: notes.filter((note): note is ModelCall => note.type === 'call'),
    alarms: judged.filter((record) => record.type === 'verdict' && record.verdict.kind === 'alarm').length,
  };
}

function lastOutcome(records: readonly AuditRecord[]) {
  return records.findLast((record) => record.type === 'close')?.outcome.status;
}
