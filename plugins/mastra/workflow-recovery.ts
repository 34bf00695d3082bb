import type { PastRun } from '../../core/index.js';
import type { WorkflowScope } from './workflow-scope.js';

/** Under which key of the request context the steps of a run that went back find why. */
export const HINT = 'auditor.hint';

/** How a run goes on that goes back to before a blamed step. */
export interface Recovery {
  readonly past: PastRun;
  readonly hint: NonNullable<WorkflowScope['hint']>;
  /** Ids of the steps that were at work beside the blamed one, and may have been stopped for it. */
  readonly besides: ReadonlySet<string>;
}

/** @returns nothing for a run that was not to recover, or cannot */
export function recoveryOf(scope: WorkflowScope): Recovery | undefined {
  const { run } = scope;
  if (run.stopped?.action !== 'recover') return undefined;
  const past = run.asPast();
  const blamed = past?.turns.find(({ id }) => id === run.blamedTurn);
  const step = blamed && scope.stepOf(blamed);
  if (!past || !step) {
    const message = 'the alarm blames what was said before this run, so the run is halted';
    run.runtime.diagnostics.report({ code: 'cannot-recover', message, runId: run.runId });
    return undefined;
  }
  const isUndone = (id: string) => undone.has(id);
  const undone = new Set(
    past.turns.flatMap(({ id, path: [place] }) => {
      if (!place) return [];
      const isLater = place.step > step.place.step;
      return isLater || (place.step === step.place.step && place.lane === step.place.lane) ? [id] : [];
    }),
  );
  return {
    past: {
      ...past,
      turns: past.turns.filter(({ id }) => !isUndone(id)),
      overridden: past.overridden.filter((id) => id !== blamed.id),
      unjudged: past.unjudged.filter((id) => !isUndone(id)),
      openCalls: [],
      recoveries: past.recoveries + 1,
      undone: [...undone],
    },
    besides: scope.besides(step),
    hint: { stepId: step.id, text: hintOf(run.stopped.halt.alarm?.reason ?? '') },
  };
}

function hintOf(reason: string): string {
  return `An auditor reviewed this step and found it wrong: ${reason}\nDo it again, and avoid that mistake.`;
}
