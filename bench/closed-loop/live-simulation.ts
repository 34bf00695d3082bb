import type { Dice } from './dice.js';
import type { OperatingPoint } from './operating-point.js';
import { type Outcomes, outcomesOf } from './outcomes.js';
import type { Policy } from './policy.js';
import { runPolicies } from './run-policies.js';
import { simulatedAuditor, taskText } from './simulated-auditor.js';
import { simulatedTeam } from './simulated-team.js';
import type { Team } from './team-model.js';

/** Simulated tasks through the real runtime: real sessions, audits, halts and recoveries, as with any other host. */
export async function liveSimulation(
  team: Team,
  dice: Dice,
  point: OperatingPoint,
  policies: readonly Policy[],
  tasks: number,
  signal?: AbortSignal,
): Promise<Outcomes> {
  const { stepCost, auditCost } = team.model;
  const solve = simulatedTeam(team, dice);
  const suite = Array.from({ length: tasks }, (_, task) => ({ id: String(task), input: taskText(task) }));
  const attempts = await runPolicies({
    tasks: suite,
    run: ({ input }, { attempt, runtime }) => solve(input, attempt, runtime),
    isSolved: (answer) => answer === 'right',
    answerOf: (answer) => answer,
    costOf: ({ turns, calls }) =>
      turns.length * stepCost + calls.reduce((sum, { cost = auditCost }) => sum + cost, 0),
    policies,
    auditor: simulatedAuditor(point, dice, auditCost),
    signal,
  });
  return outcomesOf(attempts, suite, policies);
}
