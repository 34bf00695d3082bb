import { z } from 'zod';

/** A simulated team, and what its steps, its audits and going back do. */
export const teamModelSchema = z.strictObject({
  /** Steps of an undisturbed run, the task not counted. */
  steps: z.int().min(1).max(1_000).default(20),
  /** Share of unaudited runs that end with a fault nobody has repaired. */
  failureRate: z.number().gt(0).lt(1).default(0.3),
  /** Who speaks, in turn, and how prone to faults they are, one beside the other. */
  agents: z
    .record(z.string().min(1), z.number().positive())
    .refine((agents) => Object.keys(agents).length > 0, { error: 'names no agent' })
    .default({ planner: 1, solver: 1, critic: 1 }),
  /** Chance that a step which went wrong once goes wrong again when the same task is tried again. 1: trying again never helps. */
  persistence: z.number().gt(0).max(1).default(0.5),
  /** Chance of each later step to repair an earlier fault by itself. */
  repairRate: z.number().min(0).lt(1).default(0.02),
  /** What a hint at the faulty step multiplies `persistence` by when that step is done again. */
  hintFactor: z.number().min(0).max(1).default(0.5),
  /** Chance that a hint at a step that was right makes it wrong. */
  misledRate: z.number().min(0).max(1).default(0.1),
  /** Of one step of the team, in any unit. */
  stepCost: z.number().positive().default(1),
  /** Of one audit, in the same unit. */
  auditCost: z.number().min(0).default(0.1),
});

export type TeamModel = Readonly<z.infer<typeof teamModelSchema>>;

/** A model with its chances worked out. */
export interface Team {
  readonly model: TeamModel;
  /** Who speaks at a step, which counts from 1: turn 0 is the task. */
  readonly agentAt: (step: number) => string;
  /** Chance of a fault at each step, over all tasks; place 0 is unused. */
  readonly faultRates: readonly number[];
  /** Chance that a task finds the step difficult: only then it can go wrong, with chance `persistence`. */
  readonly difficulty: readonly number[];
}

/** @throws RangeError where so many faults with so little persistence cannot be */
export function teamOf(model: TeamModel): Team {
  const { steps, persistence, failureRate } = model;
  const names = Object.keys(model.agents);
  const agentAt = (step: number) => names[(step - 1) % names.length] as string;
  const weights = Array.from({ length: steps + 1 }, (_, step) =>
    step === 0 ? 0 : (model.agents[agentAt(step)] as number),
  );
  const mean = weights.reduce((sum, weight) => sum + weight) / steps;
  const ratesAt = (rate: number) => weights.map((weight) => (rate * weight) / mean);
  let [low, high] = [0, mean / Math.max(...weights)];
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (failureOf(ratesAt(middle), model) < failureRate) low = middle;
    else high = middle;
  }
  const faultRates = ratesAt(high);
  const reached = failureOf(faultRates, model);
  if (Math.abs(reached - failureRate) > 1e-6)
    throw new RangeError(
      `even with a fault at every step, repaired as often, ${(reached * 100).toFixed(1)} % of runs fail, not ${failureRate * 100} %`,
    );
  const worst = Math.max(...faultRates);
  if (worst > persistence)
    throw new RangeError(
      `a step goes wrong with a chance of ${worst.toPrecision(3)}, which cannot be above persistence, ${persistence}`,
    );
  return { model, agentAt, faultRates, difficulty: faultRates.map((rate) => rate / persistence) };
}

/** Steps go wrong, and faults are repaired, independently of one another: 1 - prod(1 - p_k (1 - q)^(T - k)). */
function failureOf(faultRates: readonly number[], { steps, repairRate }: TeamModel): number {
  let right = 1;
  for (let step = 1; step <= steps; step++)
    right *= 1 - (faultRates[step] as number) * (1 - repairRate) ** (steps - step);
  return 1 - right;
}
