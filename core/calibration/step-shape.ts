import type { ScoredRun } from './scored-run.js';

/** Scores closer to 0 or 1 than this are not told apart; log-odds stay within 20.8. */
const CLOSEST = 1e-9;
const RUNS_PER_BIN = 20;

/** How high healthy scores reach by nature, from step `fromStep` until the next bin's. */
export interface StepBin {
  readonly fromStep: number;
  /** In log-odds. */
  readonly location: number;
}

/**
 * How the scores of healthy runs depend on the step. Any shape keeps the promised false-alarm rate; a true one finds more
 * errors at the same rate, since steps that are high by nature do not set the bar for the others.
 */
export interface StepShape {
  readonly bins: readonly StepBin[];
  /** The smallest score above 0 that was seen. A lower one counts as this: "no evidence" must not lie infinitely far below. */
  readonly floor: number;
}

/** Without a run to learn from: the same at every step. */
export const flatShape: StepShape = { bins: [{ fromStep: 0, location: 0 }], floor: CLOSEST };

/**
 * Steps are taken together until enough runs reach the bin; the last bin holds for all later steps. A bin's location is the
 * mean, over those runs, of a run's highest score in it. A high quantile would lie nearer to where the threshold will be,
 * but falls on one of the few values of a coarse score, and then most excesses over it are equal.
 */
export function stepShape(runs: readonly ScoredRun[]): StepShape {
  const floor = leastPositive(runs);
  const bins: { fromStep: number; highest: Map<ScoredRun, number> }[] = [];
  let open = { fromStep: 0, highest: new Map<ScoredRun, number>() };
  for (const [step, reached] of byStep(runs)) {
    raise(open.highest, reached);
    if (open.highest.size < RUNS_PER_BIN) continue;
    bins.push(open);
    open = { fromStep: step + 1, highest: new Map() };
  }
  const last = bins.at(-1);
  if (last) raise(last.highest, open.highest);
  else if (open.highest.size > 0) bins.push(open);
  if (bins.length === 0) return flatShape;
  return {
    floor,
    bins: bins.map(({ fromStep, highest }) => ({
      fromStep,
      location: mean([...highest.values()].map((score) => logOdds(score, floor))),
    })),
  };
}

/** In log-odds, where a score's distance to a threshold means the same near 0, near 1 and between. */
export function logOdds(score: number, floor = CLOSEST): number {
  const clamped = Math.min(1 - CLOSEST, Math.max(floor, score));
  return Math.log(clamped) - Math.log1p(-clamped);
}

/** The inverse. What only a score of 1 reaches becomes 1, which nothing exceeds. */
export function scoreAt(odds: number): number {
  return odds >= logOdds(1) ? 1 : 1 / (1 + Math.exp(-odds));
}

export function locationAt({ bins }: StepShape, step: number): number {
  return bins.findLast(({ fromStep }) => fromStep <= step)?.location ?? 0;
}

/** Where no run has any evidence, any evidence at all is out of the ordinary. */
function leastPositive(runs: readonly ScoredRun[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { scores } of runs)
    for (const { score } of scores) if (score > 0) least = Math.min(least, score);
  return least < 1 ? Math.max(CLOSEST, least) : CLOSEST;
}

function byStep(runs: readonly ScoredRun[]): [step: number, Map<ScoredRun, number>][] {
  const steps = new Map<number, Map<ScoredRun, number>>();
  for (const run of runs) {
    for (const { step, score } of run.scores) {
      const reached = steps.get(step) ?? new Map<ScoredRun, number>();
      steps.set(step, raise(reached, [[run, score]]));
    }
  }
  return [...steps].sort(([one], [other]) => one - other);
}

function raise(highest: Map<ScoredRun, number>, more: Iterable<readonly [ScoredRun, number]>) {
  for (const [run, score] of more) highest.set(run, Math.max(highest.get(run) ?? 0, score));
  return highest;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
