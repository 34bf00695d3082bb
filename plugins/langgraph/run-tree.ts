import type { CallSite, Diagnostics, TurnPath } from '../../core/index.js';
import type { GraphRun } from './graph-run.js';
import type { Invocation } from './invocation.js';
import { SelfCheck } from './self-check.js';
import { type Task, taskKey } from './task.js';
import { type Thread, ThreadRuns } from './thread-runs.js';

/** Where a chain or tool run stands: whose run it is, the node that it is part of, and the place that calls go out from. */
export interface Place {
  readonly run: GraphRun;
  readonly task: Task | undefined;
  readonly site: CallSite | undefined;
  /** The run's name; a graph's, where it is one. */
  readonly name: string | undefined;
  /** Of a tool's run: the call that it answers. */
  readonly toolCallId?: string | undefined;
}

/** A graph at work inside a run: the root graph, or one that was called. */
export interface OpenGraph {
  readonly path: TurnPath;
  /** Tasks at work, by LangGraph's name for them. */
  readonly tasks: Map<string, Task>;
}

export interface Root {
  readonly run: GraphRun;
  /** Where it is kept, for being taken up. */
  readonly thread: Thread | undefined;
  /** To be called when the run is over. */
  readonly ended: (() => void) | undefined;
}

/** What is known of a chain or tool run under way. */
class OpenRun {
  place: Place | undefined = undefined;
  root: Root | undefined = undefined;
  /** The graph that it is. */
  graph: OpenGraph | undefined = undefined;
  task: Task | undefined = undefined;
  /** The graph that its task belongs to, and LangGraph's name for the task there. */
  within: OpenGraph | undefined = undefined;
  key: string | undefined = undefined;
  /** What to leave when it ends: the place that it was called from. */
  calledFrom: CallSite | undefined = undefined;
}

/** Of a run that is not under way. */
const UNKNOWN: Readonly<OpenRun> = new OpenRun();

/** Ids of ended runs that are remembered, so that what starts late inside them is known for late. */
const MAX_ENDED = 10_000;

/**
 * Everything that is running under one runtime, by LangChain's run ids. All hooks of the runtime share it, so that a
 * graph hooked by itself and called inside another hooked graph is told once.
 */
export class RunTree {
  readonly threads = new ThreadRuns();
  readonly selfCheck: SelfCheck;
  /** Invocations that are about to begin, by run id. */
  readonly #invocations = new Map<string, Invocation>();
  readonly #open = new Map<string, OpenRun>();
  readonly #ended = new Set<string>();

  constructor(diagnostics: Diagnostics) {
    this.selfCheck = new SelfCheck(diagnostics);
  }

  /** How much is remembered of runs that are under way. */
  get size(): number {
    return this.#invocations.size + this.#open.size;
  }

  announce(runId: string, invocation: Invocation): void {
    this.#invocations.set(runId, invocation);
  }

  /** An invocation begins, or has failed to. */
  invocation(runId: string): Invocation | undefined {
    const invocation = this.#invocations.get(runId);
    this.#invocations.delete(runId);
    return invocation;
  }

  place(runId: string | undefined): Place | undefined {
    return runId === undefined ? undefined : this.#open.get(runId)?.place;
  }

  graph(runId: string): OpenGraph | undefined {
    return this.#open.get(runId)?.graph;
  }

  /** Whether the run that this is a part of was cut short. */
  hasEnded(runId: string | undefined): boolean {
    return runId !== undefined && this.#ended.size > 0 && this.#ended.has(runId);
  }

  addRoot(runId: string, root: Root): void {
    this.#opened(runId).root = root;
  }

  add(runId: string, place: Place): void {
    if (this.#ended.size > 0) this.#ended.delete(runId); // an id that the caller has chosen may come again
    this.#opened(runId).place = place;
  }

  addTask(runId: string, task: Task, within: OpenGraph): void {
    const open = this.#opened(runId);
    open.task = task;
    open.within = within;
    open.key = taskKey(task.info.taskPath);
    within.tasks.set(open.key, task);
  }

  addGraph(runId: string, graph: OpenGraph): void {
    this.#opened(runId).graph = graph;
  }

  /** Whether another attempt at the run's task has begun, as after a timeout. */
  isSuperseded(runId: string): boolean {
    return isSuperseded(this.#open.get(runId));
  }

  /** Enters a call, to be left when the run ends. @returns the place of its turns */
  enter(runId: string, site: CallSite): TurnPath {
    this.#opened(runId).calledFrom = site;
    return site.enter();
  }

  /** Forgets a run that has ended. @returns what it was */
  leave(runId: string): Readonly<OpenRun> {
    const open = this.#open.get(runId);
    if (!open) return UNKNOWN;
    this.#open.delete(runId);
    if (open.key !== undefined && !isSuperseded(open)) open.within?.tasks.delete(open.key);
    open.calledFrom?.leave();
    return open;
  }

  /**
   * Forgets what is left of a whole run: LangGraph does not tell the end of every part, above all not after a failure.
   * @param cutShort whether what is left is to be stopped; work that a completed run leaves behind on purpose is not
   */
  leaveAll(run: GraphRun, cutShort: boolean): void {
    for (const [runId, { place }] of this.#open) {
      if (place?.run !== run) continue;
      this.leave(runId);
      if (cutShort) this.#ended.add(runId);
    }
    for (const runId of this.#ended) {
      if (this.#ended.size <= MAX_ENDED) break;
      this.#ended.delete(runId);
    }
  }

  #opened(runId: string): OpenRun {
    const known = this.#open.get(runId);
    if (known) return known;
    const open = new OpenRun();
    this.#open.set(runId, open);
    return open;
  }
}

function isSuperseded(open: OpenRun | undefined): boolean {
  return open?.key !== undefined && open.within?.tasks.get(open.key) !== open.task;
}
