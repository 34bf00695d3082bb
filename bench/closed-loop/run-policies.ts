import { createHash } from 'node:crypto';
import type { Auditor, Runtime, RuntimeOptions } from '../../core/index.js';
import { type Attempt, runAttempt, type Spent } from './attempt.js';
import type { Policy } from './policy.js';
import { resultsFile } from './results-file.js';

export interface ClosedLoopTask {
  readonly id: string;
  readonly input: string;
  /** Tasks of one group are no independent evidence, and are resampled together. Default: the task's id. */
  readonly group?: string | undefined;
}

/** What one run of the host is given. */
export interface RunContext {
  readonly runtime: Runtime;
  /** Unlike that of any other run: for LangGraph's `thread_id`, without which nothing can go back. */
  readonly runId: string;
  /** 0-based among the runs of this task under this policy. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

export interface RunPoliciesOptions<Result> {
  readonly tasks: readonly ClosedLoopTask[];
  /** Hooks the host with `withAuditor(host, runtime)` and runs it once. */
  readonly run: (task: ClosedLoopTask, context: RunContext) => Promise<Result>;
  readonly isSolved: (result: Result, task: ClosedLoopTask) => boolean | Promise<boolean>;
  /** What the run said, for a vote among tries; without it nobody votes. */
  readonly answerOf?: ((result: Result) => string) | undefined;
  /** In any unit, the same for team and auditor. */
  readonly costOf: (spent: Spent<Result>, task: ClosedLoopTask) => number;
  readonly policies: readonly Policy[];
  readonly auditor: Auditor;
  /** Deadline, schedule, redactor … of the runtime that each run gets. */
  readonly runtime?: Omit<RuntimeOptions, 'auditor' | 'onAlarm' | 'maxRecoveries' | 'recorder'> | undefined;
  /** Which order tasks are taken in, so that what is stopped early is no choice of tasks. Default 1. */
  readonly seed?: number | undefined;
  /** Tasks side by side. Default 1. */
  readonly concurrency?: number | undefined;
  /** JSONL: called again with the same tasks, policies and seed, only what is missing is run. */
  readonly results?: string | undefined;
  /** No task is begun once this much has been spent, earlier calls included. */
  readonly budget?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/**
 * Runs every task under every policy, one after the other, so that all policies have the same tasks also where a budget or a
 * signal ends it early.
 * @returns the attempts, earlier ones first; of a task that was broken off, those that were finished
 */
export async function runPolicies<Result>(options: RunPoliciesOptions<Result>): Promise<Attempt[]> {
  const { policies, auditor, seed = 1, concurrency = 1, budget = Number.POSITIVE_INFINITY } = options;
  const { signal = new AbortController().signal, results, onAttempt } = options;
  if (new Set(policies.map(({ kind }) => kind)).size < policies.length)
    throw new RangeError('two policies are of the same kind: give the second a results file of its own');
  const tasks = shuffled(options.tasks, seed);
  const settings = { seed, auditor: auditor.name, policies, tasks: tasks.map(({ id }) => id) };
  const file = results === undefined ? undefined : resultsFile(results, settings);
  const attempts: Attempt[] = [...(file?.earlier ?? [])];
  const byKey = new Map(attempts.map((attempt) => [keyOf(attempt), attempt]));
  let spent = attempts.reduce((sum, { cost }) => sum + cost, 0);
  const waiting = tasks.values();
  await Promise.all(Array.from({ length: concurrency }, work));
  return attempts;

  async function work(): Promise<void> {
    for (const task of waiting) {
      if (signal.aborted || spent >= budget) return;
      for (const policy of policies) await underPolicy(task, policy);
    }
  }

  async function underPolicy(task: ClosedLoopTask, policy: Policy): Promise<void> {
    let ofTask = 0;
    for (let at = 0; at < triesOf(policy); at++) {
      if (policy.kind === 'rerun' && ofTask >= (policy.budget ?? Number.POSITIVE_INFINITY)) return;
      const known = byKey.get(keyOf({ task: task.id, policy: policy.kind, attempt: at }));
      const attempt = known ?? (await attemptAt(task, policy, at));
      if (!attempt) return;
      ofTask += attempt.cost;
      if (policy.kind !== 'none' && attempt.ended !== 'halted') return;
    }
  }

  /** Nothing of a run during which everything was stopped: it says nothing of the policy. */
  async function attemptAt(task: ClosedLoopTask, policy: Policy, at: number): Promise<Attempt | undefined> {
    if (signal.aborted) return undefined;
    const { run, isSolved, answerOf, costOf, runtime: others = {} } = options;
    const runId = `${task.id}/${policy.kind}/${at}/${crypto.randomUUID()}`;
    const attempt = await runAttempt(task.id, {
      policy,
      attempt: at,
      auditor,
      options: others,
      run: (runtime) => run(task, { runtime, runId, attempt: at, signal }),
      isSolved: (result) => isSolved(result, task),
      answerOf,
      costOf: (what) => costOf(what, task),
    });
    if (signal.aborted && attempt.ended === 'failed') return undefined;
    file?.append(attempt);
    attempts.push(attempt);
    spent += attempt.cost;
    onAttempt?.(attempt);
    return attempt;
  }
}

export function triesOf(policy: Policy): number {
  return policy.kind === 'none' || policy.kind === 'rerun' ? policy.tries : 1;
}

function keyOf({ task, policy, attempt }: Pick<Attempt, 'task' | 'policy' | 'attempt'>): string {
  return `${policy}\0${attempt}\0${task}`;
}

/** By a hash of each id, so that a task more or less moves no other. */
function shuffled(tasks: readonly ClosedLoopTask[], seed: number): ClosedLoopTask[] {
  const places = new Map(
    tasks.map(({ id }) => [id, createHash('sha256').update(`${seed}\0${id}`).digest('hex')]),
  );
  if (places.size < tasks.length) throw new RangeError('two tasks have the same id');
  return tasks.toSorted((one, other) =>
    (places.get(one.id) as string) < (places.get(other.id) as string) ? -1 : 1,
  );
}
