import type { TaskOutcome, Try } from './outcomes.js';

/**
 * How plain resampling chooses among the tries of a task.
 * - `oracle`: somebody knows at once whether a try is right, for nothing, and stops at the first that is: an upper bound that
 *   only tasks with a checker reach.
 * - `majority`: the answer that most tries give, the earliest among equals.
 * - `none`: nobody can tell them apart, and any is taken. More tries then buy nothing.
 */
export const SELECTIONS = ['oracle', 'majority', 'none'] as const;
export type Selection = (typeof SELECTIONS)[number];

/** What some number of tries brings, by task. */
interface Spending {
  readonly solved: Float64Array;
  readonly cost: Float64Array;
  readonly meanSolved: number;
  readonly meanCost: number;
}

/** Success that resampling buys for a given spend: whole numbers of tries, and mixtures of two of them. */
export class ResamplingCurve {
  readonly selection: Selection;
  readonly #points: readonly Spending[];

  /** @param tries by task, as many for each */
  constructor(tries: readonly (readonly Try[])[], selection: Selection) {
    this.selection = selection;
    const most = Math.min(...tries.map(({ length }) => length));
    const counts = Array.from({ length: most + 1 }, (_, count) => count);
    this.#points = upperHull(counts.map((count) => spendingOn(tries, count, selection)));
  }

  /** @returns mean cost and success of each number of tries that no mixture of others betters, for a plot */
  get points(): readonly (readonly [cost: number, solved: number])[] {
    return this.#points.map(({ meanCost, meanSolved }) => [meanCost, meanSolved] as const);
  }

  /**
   * What is solved, task by task, where as much is spent per task as by a policy, less what the policy solves. Where that
   * is less than one try, a share of the tasks is not begun; where it is more than all tries, `isCapped` is set.
   * The mean is the advantage of the policy; the spread also has that of its cost in it, by which more or less is resampled.
   */
  advantage(policy: readonly TaskOutcome[]): EqualSpend {
    const spend = policy.reduce((sum, { cost }) => sum + cost, 0) / policy.length;
    const above = this.#points.findIndex(({ meanCost }) => meanCost >= spend);
    const isCapped = above < 0;
    const upper = this.#points.at(isCapped ? -1 : Math.max(1, above)) as Spending;
    const lower = (this.#points.at(isCapped ? -2 : Math.max(1, above) - 1) ?? upper) as Spending;
    const width = upper.meanCost - lower.meanCost;
    const share = isCapped || width === 0 ? 1 : (spend - lower.meanCost) / width;
    const slope = isCapped || width === 0 ? 0 : (upper.meanSolved - lower.meanSolved) / width;
    const mixed = (of: 'solved' | 'cost', task: number) =>
      (1 - share) * (lower[of][task] as number) + share * (upper[of][task] as number);
    const differences = policy.map(
      ({ solved, cost }, task) =>
        Number(solved) - mixed('solved', task) - (isCapped ? 0 : slope * (cost - mixed('cost', task))),
    );
    return { solved: (1 - share) * lower.meanSolved + share * upper.meanSolved, isCapped, differences };
  }
}

export interface EqualSpend {
  /** Share of tasks that resampling solves for the same money. */
  readonly solved: number;
  readonly isCapped: boolean;
  /** By task; their mean is the policy's advantage. */
  readonly differences: readonly number[];
}

function spendingOn(tries: readonly (readonly Try[])[], count: number, selection: Selection): Spending {
  const solved = new Float64Array(tries.length);
  const cost = new Float64Array(tries.length);
  for (const [task, all] of tries.entries()) {
    const right = all.slice(0, count).findIndex((one) => one.solved);
    const made = selection === 'oracle' && right >= 0 ? right + 1 : count;
    solved[task] = Number(isSolvedBy(all.slice(0, made), selection));
    cost[task] = all.slice(0, made).reduce((sum, one) => sum + one.cost, 0);
  }
  return { solved, cost, meanSolved: mean(solved), meanCost: mean(cost) };
}

function isSolvedBy(tries: readonly Try[], selection: Selection): boolean {
  if (selection === 'oracle') return tries.some(({ solved }) => solved);
  if (selection === 'none') return tries[0]?.solved ?? false;
  const votes = [...Map.groupBy(tries, ({ answer }) => answer)];
  const [, elected] = votes.reduce(
    (most, one) => (one[1].length > most[1].length ? one : most),
    votes[0] ?? [undefined, []],
  );
  return elected[0]?.solved ?? false;
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Two tries vote no better than one; who has money for two would mix one and three. */
function upperHull(points: readonly Spending[]): Spending[] {
  const hull: Spending[] = [];
  for (const point of points) {
    while (hull.length > 1 && !turnsDown(hull.at(-2) as Spending, hull.at(-1) as Spending, point)) hull.pop();
    if (point.meanCost > (hull.at(-1)?.meanCost ?? -1)) hull.push(point);
  }
  return hull;
}

function turnsDown(one: Spending, two: Spending, three: Spending): boolean {
  const slope = (from: Spending, to: Spending) =>
    (to.meanSolved - from.meanSolved) / (to.meanCost - from.meanCost);
  return slope(one, two) > slope(two, three);
}
