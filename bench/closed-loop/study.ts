import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type BreakEven, breakEven } from './break-even.js';
import { comparePolicies, type PolicySummary } from './compare-policies.js';
import { diceOf } from './dice.js';
import { fastSimulation } from './fast-simulation.js';
import { liveSimulation } from './live-simulation.js';
import type { OperatingPoint } from './operating-point.js';
import type { TaskOutcome } from './outcomes.js';
import type { AuditingPolicy } from './policy.js';
import { ResamplingCurve, type Selection } from './resampling.js';
import type { StudyConfig } from './study-config.js';
import { teamOf } from './team-model.js';

/** What a policy is held against: no auditor at all, or resampling that spends as much. */
export type Rival = 'none' | Extract<Selection, 'majority' | 'oracle'>;
export const RIVALS: readonly Rival[] = ['none', 'majority', 'oracle'];

export interface PlaneCell {
  readonly policy: AuditingPolicy['kind'];
  readonly recall: number;
  readonly falseAlarmRate: number;
  readonly solved: number;
  readonly cost: number;
  /** Null where nothing is solved. */
  readonly costPerSolved: number | null;
  readonly wrongHalts: number;
  /** Of solved tasks, above each rival. For `halt` against no auditor both spend as much: see {@link Study}. */
  readonly over: Readonly<Record<Rival, number>>;
}

export interface BreakEvenPoint {
  readonly policy: AuditingPolicy['kind'];
  readonly rival: Rival;
  readonly recall: number;
  readonly upTo: BreakEven;
}

/**
 * Whether acting on alarms pays for a simulated team. Against no auditor a policy must solve more tasks, whatever it spends; `halt`,
 * which never can, must solve more for its money. Against resampling it must solve more for the same money.
 */
export interface Study {
  readonly config: StudyConfig;
  /** Chance of a fault at a step. */
  readonly faultRate: number;
  /** Success of resampling by money spent, from none to seven tries. */
  readonly resampling: Readonly<Record<Selection, readonly (readonly [cost: number, solved: number])[]>>;
  readonly auditors: readonly {
    readonly point: OperatingPoint;
    readonly summaries: readonly PolicySummary[];
  }[];
  readonly plane: readonly PlaneCell[];
  readonly breakEven: readonly BreakEvenPoint[];
  /** Tasks that ended the same under the real runtime, at the same cost; all of them, or the figures are not to be trusted. */
  readonly check: { readonly outcomes: number; readonly equal: number };
}

export interface StudyOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Unaudited tries per task: what the dearest policies spend. */
const MOST_TRIES = 7;

/** @throws RangeError for a team that cannot be; the signal's reason */
export async function runStudy(config: StudyConfig, { signal, onProgress }: StudyOptions): Promise<Study> {
  const team = teamOf(config.team);
  const dice = diceOf(config.seed);
  const policies = policiesOf(config);
  const simulation = fastSimulation(team, dice, config.tasks, MOST_TRIES);
  const groups = simulation.tries.map((_, task) => String(task));
  const curves = {
    none: new ResamplingCurve(simulation.tries, 'none'),
    majority: new ResamplingCurve(simulation.tries, 'majority'),
    oracle: new ResamplingCurve(simulation.tries, 'oracle'),
  };
  const { recalls, falseAlarmRates, delays, attribution } = config.plane;
  const planePoint = (recall: number, falseAlarmRate: number) => ({
    name: 'plane',
    recall,
    falseAlarmRate,
    delays,
    attribution,
  });
  const total = config.auditors.length + recalls.length * (1 + policies.length);
  let done = 0;
  const pause = async () => {
    onProgress?.(++done, total);
    await setImmediate(undefined, { signal });
  };

  const auditors = [];
  const check = { outcomes: 0, equal: 0 };
  for (const point of config.auditors) {
    const outcomes = policies.map((policy) => ({ policy, tasks: simulation.under(policy, point) }));
    const summaries = comparePolicies(
      { groups, tries: simulation.tries, policies: outcomes },
      { seed: config.seed },
    );
    auditors.push({ point, summaries });
    if (config.checkedTasks > 0) await compareWithRuntime(point, outcomes);
    await pause();
  }

  const plane: PlaneCell[] = [];
  for (const recall of recalls) {
    for (const falseAlarmRate of falseAlarmRates)
      for (const policy of policies) plane.push(cellOf(policy, recall, falseAlarmRate));
    await pause();
  }

  const points: BreakEvenPoint[] = [];
  for (const recall of recalls)
    for (const policy of policies) {
      const known = new Map<number, TaskOutcome[]>();
      const outcomesAt = (rate: number) => {
        const found = known.get(rate) ?? simulation.under(policy, planePoint(recall, rate));
        known.set(rate, found);
        return found;
      };
      for (const rival of RIVALS) {
        const upTo = breakEven((rate) => advantageOver(rival, policy, outcomesAt(rate)), groups);
        points.push({ policy: policy.kind, rival, recall, upTo });
      }
      await pause();
    }

  return {
    config,
    faultRate: team.faultRates.reduce((sum, rate) => sum + rate, 0) / config.team.steps,
    resampling: { none: curves.none.points, majority: curves.majority.points, oracle: curves.oracle.points },
    auditors,
    plane,
    breakEven: points,
    check,
  };

  function cellOf(policy: AuditingPolicy, recall: number, falseAlarmRate: number): PlaneCell {
    const tasks = simulation.under(policy, planePoint(recall, falseAlarmRate));
    const mean = (of: (task: TaskOutcome) => number | boolean) =>
      tasks.reduce((sum, task) => sum + Number(of(task)), 0) / tasks.length;
    const solved = mean((task) => task.solved);
    const cost = mean((task) => task.cost);
    const over = Object.fromEntries(
      RIVALS.map((rival) => {
        const differences = advantageOver(rival, policy, tasks);
        return [rival, differences.reduce((sum, value) => sum + value, 0) / differences.length];
      }),
    ) as Record<Rival, number>;
    const wrongHalts = mean((task) => task.wrongHalts);
    const costPerSolved = solved === 0 ? null : cost / solved;
    return { policy: policy.kind, recall, falseAlarmRate, solved, cost, costPerSolved, wrongHalts, over };
  }

  function advantageOver(
    rival: Rival,
    policy: AuditingPolicy,
    tasks: readonly TaskOutcome[],
  ): readonly number[] {
    if (rival !== 'none') return curves[rival].advantage(tasks).differences;
    if (policy.kind === 'halt') return curves.none.advantage(tasks).differences;
    return tasks.map(({ solved }, task) => Number(solved) - Number(simulation.tries[task]?.[0]?.solved));
  }

  async function compareWithRuntime(
    point: OperatingPoint,
    outcomes: readonly { readonly policy: AuditingPolicy; readonly tasks: readonly TaskOutcome[] }[],
  ): Promise<void> {
    const checked = Math.min(config.checkedTasks, config.tasks);
    const none = { kind: 'none', tries: config.tries } as const;
    const live = await liveSimulation(team, dice, point, [none, ...policies], checked, signal);
    signal.throwIfAborted();
    for (const [at, { tasks }] of live.policies.entries())
      for (const [task, outcome] of tasks.entries()) {
        check.outcomes++;
        if (isDeepStrictEqual(rounded(outcome), rounded(outcomes[at]?.tasks[task]))) check.equal++;
      }
  }
}

export function policiesOf({ tries, recoveries }: StudyConfig): readonly AuditingPolicy[] {
  return [{ kind: 'halt' }, { kind: 'rerun', tries }, { kind: 'recover', recoveries }];
}

/** Sums in another order differ in their last digits. */
function rounded(outcome: TaskOutcome | undefined) {
  return outcome && { ...outcome, cost: Number(outcome.cost.toFixed(6)) };
}
