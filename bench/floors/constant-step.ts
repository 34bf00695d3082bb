import type { BenchRun } from '../bench-run.js';
import type { FittedFloor, Floor } from './floor.js';
import { ruleAuditor } from './rule-auditor.js';
import { bestOf, ruleScore } from './rule-score.js';

/**
 * Blames the same step of every run, for each domain the one that is best on training runs. The alarm is raised when that step
 * is the newest: a safe run that is judged by its whole alone is flagged only where it ends there.
 */
export const constantStep: Floor = {
  name: 'constant-step',
  title: "Constant step, each domain's best",
  fit(training, protocol) {
    const byDomain = Map.groupBy(training, ({ run }) => run.domain);
    const steps = new Map(
      [...byDomain].map(([domain, runs]) => [
        domain,
        bestOf(stepsOf(runs), (step) => ruleScore(runs, protocol, (_, at) => at === step)),
      ]),
    );
    return ({ run }) => constantStepAuditor(this.name, steps.get(run.domain));
  },
};

/** The same for all runs, with nothing to choose: for a dataset without training runs. */
export function alwaysStep(step: number): Floor {
  const name = `always-step-${step}`;
  const fitted: FittedFloor = () => constantStepAuditor(name, step);
  return { name, title: `Always step ${step}`, fit: () => fitted };
}

function constantStepAuditor(name: string, step: number | undefined) {
  return ruleAuditor({
    name,
    reason: `step ${step} is blamed in every run`,
    blamed: ({ newest }) => (newest.index === step ? step : undefined),
  });
}

function stepsOf(runs: readonly BenchRun[]): readonly number[] {
  const longest = runs.reduce((most, { run }) => Math.max(most, run.turns.length), 0);
  return Array.from({ length: longest }, (_, step) => step);
}
