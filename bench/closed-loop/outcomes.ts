import type { Attempt } from './attempt.js';
import type { AuditingPolicy, Policy } from './policy.js';
import type { ClosedLoopTask } from './run-policies.js';
import { triesOf } from './run-policies.js';

/** What became of one task under one policy. */
export interface TaskOutcome {
  readonly solved: boolean;
  /** Some run came to its end: if it is not solved, somebody now believes a wrong answer. */
  readonly answered: boolean;
  /** Of all its runs. */
  readonly cost: number;
  readonly halts: number;
  /** Halts of runs whose unaudited twin, the try of the same number, was solved. In a simulation it is the same run, left alone. */
  readonly wrongHalts: number;
  readonly recoveries: number;
}

/** One unaudited run of a task. */
export interface Try {
  readonly solved: boolean;
  readonly cost: number;
  readonly answer?: string | undefined;
}

/** What is compared: the same tasks, in the same order, under every policy. */
export interface Outcomes {
  /** By task. */
  readonly groups: readonly string[];
  /** By task, then try. The first is what becomes of the task without an auditor. */
  readonly tries: readonly (readonly Try[])[];
  readonly policies: readonly { readonly policy: AuditingPolicy; readonly tasks: readonly TaskOutcome[] }[];
}

/** Of the tasks that were finished under all policies; others would be compared with nothing. */
export function outcomesOf(
  attempts: readonly Attempt[],
  tasks: readonly ClosedLoopTask[],
  policies: readonly Policy[],
): Outcomes {
  const byTask = Map.groupBy(attempts, ({ task }) => task);
  const runsOf = (task: string, policy: Policy) =>
    (byTask.get(task) ?? [])
      .filter((attempt) => attempt.policy === policy.kind)
      .toSorted((one, other) => one.attempt - other.attempt);
  const whole = tasks.filter(({ id }) => policies.every((policy) => isWhole(runsOf(id, policy), policy)));
  const none = policies.find(({ kind }) => kind === 'none');
  const tries = whole.map(({ id }) => (none ? runsOf(id, none) : []));
  return {
    groups: whole.map(({ id, group = id }) => group),
    tries,
    policies: policies
      .filter((policy) => policy.kind !== 'none')
      .map((policy) => ({
        policy,
        tasks: whole.map(({ id }, at) => outcomeOf(runsOf(id, policy), tries[at] as readonly Try[])),
      })),
  };
}

function isWhole(runs: readonly Attempt[], policy: Policy): boolean {
  const last = runs.at(-1);
  if (!last) return false;
  if (runs.length === triesOf(policy)) return true;
  if (policy.kind !== 'rerun') return false;
  const spent = runs.reduce((sum, { cost }) => sum + cost, 0);
  return last.ended !== 'halted' || (policy.budget !== undefined && spent >= policy.budget);
}

function outcomeOf(runs: readonly Attempt[], twins: readonly Try[]): TaskOutcome {
  const halted = runs.filter(({ ended }) => ended === 'halted');
  return {
    solved: runs.some(({ solved }) => solved),
    answered: runs.some(({ ended }) => ended === 'completed'),
    cost: runs.reduce((sum, { cost }) => sum + cost, 0),
    halts: halted.length,
    wrongHalts: halted.filter(({ attempt }) => twins[attempt]?.solved).length,
    recoveries: runs.reduce((sum, { recoveries }) => sum + recoveries, 0),
  };
}
