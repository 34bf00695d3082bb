import type { AgentRun, CallSite, PathSegment, Turn, TurnPath } from '../../core/index.js';
import type { Scope } from './scope.js';
import type { KeptWork } from './step-at-work.js';
import { haltedSteps, type SavedStep, type Snapshot } from './workflow-snapshot.js';

/** To where a run that was stopped goes back. */
export interface Travel {
  readonly steps: readonly string[];
  /** What Mastra is to know of steps otherwise than it was saved. */
  readonly context: Readonly<Record<string, Pick<SavedStep, 'payload' | 'suspendPayload'>>>;
}

/** The outermost workflow of a run at work. */
export class WorkflowScope implements Scope {
  readonly run: AgentRun;
  readonly site: CallSite;
  /** What the step that is done again is told, by its id. */
  readonly hint: { readonly stepId: string; readonly text: string } | undefined;
  readonly #lastEntry: number;
  readonly #kept = new Map<string, KeptWork>();
  readonly #items = new Map<string, Record<string, unknown>>();
  readonly #steps: NotedStep[] = [];

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
    const running = halted.map(([id, { payload, suspendPayload }]) => [
      id,
      { status: 'running' as const, payload, suspendPayload },
    ]);
    return { steps, context: Object.fromEntries(running) };
  }

  /** Whether what was halted has yet to go on. */
  get isGoingOn(): boolean {
    return this.#kept.size > 0;
  }

  /** What a step at which the run was halted has left, once; of a `foreach`, what is left of one item. */
  takeKept(workflowId: string, stepId: string, item?: number): KeptWork | undefined {
    if (this.#kept.size === 0) return undefined;
    const key = `${workflowId}/${stepId}`;
    const kept = this.#kept.get(key);
    if (item === undefined) {
      this.#kept.delete(key);
      return kept;
    }
    return kept?.items && item in kept.items ? { stepId, output: kept.items[item] } : undefined;
  }

  /** What a `foreach` has left when it is stopped. */
  itemsOf(workflowId: string, stepId: string): Record<string, unknown> {
    const key = `${workflowId}/${stepId}`;
    const items = this.#items.get(key) ?? {};
    this.#items.set(key, items);
    return items;
  }

  /** A step of the outermost workflow is set to work. @param item of a `foreach`, its index */
  noteStep(id: string, [place, inner]: TurnPath, item: number | undefined): void {
    if (place && !inner) this.#steps.push({ id, place, item });
  }

  /**
   * The outermost workflow's step in which a turn was told, and where what is done again of it begins: a loop is done
   * again from its start, a `foreach` that is not over from that item.
   * @returns nothing for what was told before this run
   */
  stepOf({ path }: Pick<Turn, 'path'>): NotedStep | undefined {
    const place = path[0];
    const told = this.#steps.find(
      (step) => step.place.step === place?.step && step.place.lane === place.lane,
    );
    if (!told) return undefined;
    const isOver = this.#steps.some(({ id, place: { step } }) => id !== told.id && step > told.place.step);
    return told.item !== undefined && !isOver ? told : this.#steps.find(({ id }) => id === told.id);
  }

  /** Ids of the steps that were at work beside another. */
  besides({ id, place }: NotedStep): ReadonlySet<string> {
    const besides = this.#steps.filter((step) => step.id !== id && step.place.step === place.step);
    return new Set(besides.map((step) => step.id));
  }
}

interface NotedStep {
  readonly id: string;
  readonly place: PathSegment;
  readonly item: number | undefined;
}

interface AtEntry {
  readonly executionContext: { readonly executionPath: readonly number[] };
  readonly perStep?: boolean;
}
