import type { Dice } from './dice.js';
import type { OperatingPoint } from './operating-point.js';
import type { TaskOutcome, Try } from './outcomes.js';
import type { AuditingPolicy } from './policy.js';
import { blamedStep } from './simulated-auditor.js';
import { SimulatedRun } from './simulated-run.js';
import type { Team } from './team-model.js';

/** Simulated tasks without the runtime in between: about a thousand times as fast, with the same dice, so that both agree task by task. */
export interface FastSimulation {
  /** Unaudited runs of each task. */
  readonly tries: readonly (readonly Try[])[];
  under(policy: AuditingPolicy, point: OperatingPoint): TaskOutcome[];
}

/** @param tries unaudited runs per task */
export function fastSimulation(team: Team, dice: Dice, tasks: number, tries: number): FastSimulation {
  const { steps, stepCost, auditCost } = team.model;
  const unaudited = Array.from({ length: tasks }, (_, task) =>
    Array.from({ length: tries }, (_, attempt) => {
      const run = new SimulatedRun(team, dice, task, attempt);
      while (!run.isOver) run.advance();
      return { solved: run.openFaults.length === 0, cost: steps * stepCost, answer: run.answer };
    }),
  );
  return {
    tries: unaudited,
    under: (policy, point) => unaudited.map((twins, task) => outcomeOf(task, twins, policy, point)),
  };

  function outcomeOf(
    task: number,
    twins: readonly Try[],
    policy: AuditingPolicy,
    point: OperatingPoint,
  ): TaskOutcome {
    const tries = policy.kind === 'rerun' ? policy.tries : 1;
    const budget = (policy.kind === 'rerun' && policy.budget) || Number.POSITIVE_INFINITY;
    let [cost, halts, wrongHalts, recoveries] = [0, 0, 0, 0];
    for (let attempt = 0; attempt < tries && cost < budget; attempt++) {
      const ended = runOnce(task, attempt, policy.kind === 'recover' ? policy.recoveries : 0, point);
      cost += ended.steps * (stepCost + auditCost);
      recoveries += ended.recoveries;
      if (ended.run.isOver && !ended.wasHalted) {
        const solved = ended.run.openFaults.length === 0;
        return { solved, answered: true, cost, halts, wrongHalts, recoveries };
      }
      halts++;
      if (twins[attempt]?.solved) wrongHalts++;
    }
    return { solved: false, answered: false, cost, halts, wrongHalts, recoveries };
  }

  function runOnce(task: number, attempt: number, mayGoBack: number, point: OperatingPoint) {
    const run = new SimulatedRun(team, dice, task, attempt);
    let [made, recoveries] = [0, 0];
    while (!run.isOver) {
      const newest = run.advance();
      made++;
      const blamed = blamedStep(point, dice, task, run.openFaults, newest);
      if (blamed === undefined) continue;
      if (recoveries === mayGoBack) return { run, steps: made, recoveries, wasHalted: true };
      run.goBack(blamed);
      recoveries++;
    }
    return { run, steps: made, recoveries, wasHalted: false };
  }
}
