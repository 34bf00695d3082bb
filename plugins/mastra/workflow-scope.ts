import type { AgentRun, CallSite } from '../../core/index.js';
import type { Scope } from './scope.js';

/** The outermost workflow of a run at work. */
export class WorkflowScope implements Scope {
  readonly run: AgentRun;
  readonly site: CallSite;
  readonly #lastEntry: number;

  constructor(run: AgentRun, entries: number) {
    this.run = run;
    this.site = run.site;
    this.#lastEntry = entries - 1;
  }

  /** Whether nothing follows what has just been done. */
  endsWith(
    {
      executionContext,
      perStep,
    }: {
      readonly executionContext: { readonly executionPath: readonly number[] };
      readonly perStep?: boolean;
    },
    status: string,
  ): boolean {
    if (status === 'bailed') return true;
    return status === 'success' && !perStep && executionContext.executionPath[0] === this.#lastEntry;
  }
}
