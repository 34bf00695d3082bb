import { groupedRatio, type MeanInterval } from './mean-interval.js';
import type { Outcomes, TaskOutcome } from './outcomes.js';
import { type Policy, policyTitle } from './policy.js';
import { ResamplingCurve, SELECTIONS, type Selection } from './resampling.js';

/** What a policy brought and took; shares are of tasks, 0 to 1. */
export interface PolicySummary {
  readonly policy: Policy['kind'];
  readonly title: string;
  readonly solved: MeanInterval;
  /** Ended with an answer that is wrong: what nobody notices. */
  readonly silentlyWrong: number;
  /** Ended without an answer. */
  readonly unanswered: number;
  readonly cost: MeanInterval;
  /** Null where nothing was solved. */
  readonly costPerSolved: MeanInterval | null;
  /** Per task. */
  readonly halts: number;
  /** Per task: of runs that would have come right. */
  readonly wrongHalts: number;
  readonly recoveries: number;
  /** Share of tasks that it solves above no auditor, the same tasks compared; null for no auditor. */
  readonly overNone: MeanInterval | null;
  /** The same above plain resampling that spends as much. */
  readonly overResampling: readonly OverResampling[];
}

export interface OverResampling extends MeanInterval {
  readonly selection: Selection;
  /** Share of tasks that resampling solves. */
  readonly solved: number;
  /** The policy spends more than all tries that there are: resampling has been given less than it. */
  readonly isCapped: boolean;
}

export interface CompareOptions {
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
}

/** One summary per policy, no auditor first. @throws RangeError without tasks, or without unaudited runs of them */
export function comparePolicies(outcomes: Outcomes, options: CompareOptions = {}): PolicySummary[] {
  const { groups, tries, policies } = outcomes;
  if (groups.length === 0) throw new RangeError('no task was finished under every policy');
  if (tries.some(({ length }) => length === 0))
    throw new RangeError('policy none is missing: nothing to compare with');
  const { resamples = 1_000, seed = 1 } = options;
  const none = tries.map(([first]) => ({
    ...UNTOUCHED,
    solved: first?.solved ?? false,
    cost: first?.cost ?? 0,
  }));
  const hasAnswers = tries.every((all) => all.every(({ answer }) => answer !== undefined));
  const curves = SELECTIONS.filter((selection) => selection !== 'majority' || hasAnswers).map(
    (selection) => new ResamplingCurve(tries, selection),
  );
  return [
    summary({ kind: 'none', tries: 1 }, none, []),
    ...policies.map(({ policy, tasks }) => summary(policy, tasks, curves)),
  ];

  function summary(
    policy: Policy,
    tasks: readonly TaskOutcome[],
    against: readonly ResamplingCurve[],
  ): PolicySummary {
    const share = (of: (task: TaskOutcome) => boolean | number) =>
      tasks.reduce((sum, task) => sum + Number(of(task)), 0) / tasks.length;
    return {
      policy: policy.kind,
      title: policyTitle(policy),
      solved: over(tasks.map(({ solved }) => Number(solved))),
      silentlyWrong: share(({ answered, solved }) => answered && !solved),
      unanswered: share(({ answered }) => !answered),
      cost: over(tasks.map(({ cost }) => cost)),
      costPerSolved:
        groupedRatio(
          tasks.map(({ cost }) => cost),
          tasks.map(({ solved }) => Number(solved)),
          groups,
          { resamples, seed },
        ) ?? null,
      halts: share(({ halts }) => halts),
      wrongHalts: share(({ wrongHalts }) => wrongHalts),
      recoveries: share(({ recoveries }) => recoveries),
      overNone: policy.kind === 'none' ? null : over(overNone(tasks, none)),
      overResampling: against.map((curve) => {
        const { differences, solved, isCapped } = curve.advantage(tasks);
        return { selection: curve.selection, solved, isCapped, ...over(differences) };
      }),
    };
  }

  function over(values: readonly number[]): MeanInterval {
    const ones = values.map(() => 1);
    return groupedRatio(values, ones, groups, { resamples, seed }) as MeanInterval;
  }
}

const UNTOUCHED = { answered: true, halts: 0, wrongHalts: 0, recoveries: 0 };

function overNone(tasks: readonly TaskOutcome[], none: readonly TaskOutcome[]): number[] {
  return tasks.map(({ solved }, at) => Number(solved) - Number(none[at]?.solved));
}
