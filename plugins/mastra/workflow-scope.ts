import type { AgentRun, CallSite, PathSegment, Turn, TurnPath } from '../../core/index.js';
import type { Scope } from './scope.js';
import type { KeptWork } from './step-at-work.js';
import { haltedSteps, type Snapshot } from './workflow-snapshot.js';

/** To where a run that was stopped goes back. */
export interface Travel {
  readonly steps: readonly string[];
  /** What Mastra is to know of steps otherwise than it was saved. */
  readonly context: Readonly<Record<string, { readonly status: 'running'; readonly payload: unknown }>>;
}

/** The outermost workflow of a run at work. */
export class WorkflowScope implements Scope {
  readonly run: AgentRun;
  readonly site: CallSite;
  /** What the step that is done again is told, by its id. */
  readonly hint: { readonly stepId: string; readonly text: string } | undefined;
  readonly #lastEntry: number;
  readonly #kept = new Map<string, KeptWork>();
  readonly #steps: { readonly id: string; readonly place: PathSegment }[] = [];

  constructor(run: AgentRun, entries: number, hint?: WorkflowScope['hint']) {
    this.run = run;
    this.site = run.site;
    this.hint = hint;
    this.#lastEntry = entries - 1;
  }

  get root(): this {
    return this;
  }

  /** Whether nothing follows what has just been done. */
  endsWith({ executionContext, perStep }: AtEntry, status: string): boolean {
    if (status === 'bailed') return true;
    return status === 'success' && !perStep && executionContext.executionPath[0] === this.#lastEntry;
  }

  /**
   * @param isWanted of the steps at which it was halted, by id; default: all
   * @returns how a halted workflow goes on where it was; nothing if it was not halted
   */
  travelIn(
    workflowId: string,
    snapshot: Snapshot,
    isWanted: (stepId: string) => boolean = () => true,
  ): Travel | undefined {
    const halted = [...haltedSteps(snapshot)].filter(([id]) => isWanted(id));
    const steps = halted.slice(0, 1).map(([id]) => id);
    if (steps.length === 0) return undefined;
    for (const [id, { auditor }] of halted) this.#kept.set(`${workflowId}/${id}`, auditor ?? { stepId: '' });
    const running = halted.map(([id, { payload }]) => [id, { status: 'running' as const, payload }]);
    return { steps, context: Object.fromEntries(running) };
  }

  /** What a step at which the run was halted has left, once. */
  takeKept(workflowId: string, stepId: string): KeptWork | undefined {
    if (this.#kept.size === 0) return undefined;
    const key = `${workflowId}/${stepId}`;
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    return kept;
  }

  /** A step of the outermost workflow is set to work. */
  noteStep(id: string, [place, inner]: TurnPath): void {
    if (place && !inner) this.#steps.push({ id, place });
  }

  /**
   * The outermost workflow's step in which a turn was told, and where it began: a loop is one step.
   * @returns nothing for what was told before this run
   */
  stepOf({ path }: Pick<Turn, 'path'>): { readonly id: string; readonly place: PathSegment } | undefined {
    const place = path[0];
    const told = this.#steps.find(
      (step) => step.place.step === place?.step && step.place.lane === place.lane,
    );
    return told && this.#steps.find(({ id }) => id === told.id);
  }

  /** Ids of the steps that were at work beside another. */
  besides(one: { readonly id: string; readonly place: PathSegment }): ReadonlySet<string> {
    const { id, place } = one;
    const besides = this.#steps.filter((step) => step.id !== id && step.place.step === place.step);
    return new Set(besides.map((step) => step.id));
  }
}

interface AtEntry {
  readonly executionContext: { readonly executionPath: readonly number[] };
  readonly perStep?: boolean;
}
