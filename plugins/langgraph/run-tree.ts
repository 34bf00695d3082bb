import type { Diagnostics, TurnPath } from '../../core/index.js';
import type { CallSite } from './call-site.js';
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
}

interface OpenTask {
  readonly task: Task;
  readonly graph: OpenGraph;
  /** LangGraph's name for the task, under which the graph knows it. */
  readonly key: string;
}

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
  readonly #places = new Map<string, Place>();
  readonly #roots = new Map<string, Root>();
  readonly #tasks = new Map<string, OpenTask>();
  readonly #graphs = new Map<string, OpenGraph>();
  /** What to leave when a run ends: the place that it was called from. */
  readonly #calledFrom = new Map<string, CallSite>();
  readonly #idsOf = new Map<GraphRun, Set<string>>();
  readonly #ended = new Set<string>();

  constructor(diagnostics: Diagnostics) {
    this.selfCheck = new SelfCheck(diagnostics);
  }

  /** How much is remembered of runs that are under way. */
  get size(): number {
    const maps = [
      this.#invocations,
      this.#places,
      this.#roots,
      this.#tasks,
      this.#graphs,
      this.#calledFrom,
      this.#idsOf,
    ];
    return maps.reduce((total, map) => total + map.size, 0);
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
    return runId === undefined ? undefined : this.#places.get(runId);
  }

  graph(runId: string): OpenGraph | undefined {
    return this.#graphs.get(runId);
  }

  /** Whether the run that this is a part of was cut short. */
  hasEnded(runId: string | undefined): boolean {
    return runId !== undefined && this.#ended.has(runId);
  }

  addRoot(runId: string, root: Root): void {
    this.#roots.set(runId, root);
  }

  add(runId: string, place: Place): void {
    this.#ended.delete(runId); // an id that the caller has chosen may come again
    this.#places.set(runId, place);
    const ids = this.#idsOf.get(place.run);
    if (ids) ids.add(runId);
    else this.#idsOf.set(place.run, new Set([runId]));
  }

  addTask(runId: string, task: Task, graph: OpenGraph): void {
    const key = taskKey(task.info.taskPath);
    this.#tasks.set(runId, { task, graph, key });
    graph.tasks.set(key, task);
  }

  addGraph(runId: string, graph: OpenGraph): void {
    this.#graphs.set(runId, graph);
  }

  /** Whether another attempt at the run's task has begun, as after a timeout. */
  isSuperseded(runId: string): boolean {
    const open = this.#tasks.get(runId);
    return open !== undefined && open.graph.tasks.get(open.key) !== open.task;
  }

  /** Enters a call, to be left when the run ends. @returns the place of its turns */
  enter(runId: string, site: CallSite): TurnPath {
    this.#calledFrom.set(runId, site);
    return site.enter();
  }

  /** Forgets a run that has ended. @returns what it was */
  leave(runId: string) {
    const place = this.#places.get(runId);
    const open = this.#tasks.get(runId);
    const left = { place, task: open?.task, root: this.#roots.get(runId), graph: this.#graphs.get(runId) };
    const { task, root, graph } = left;
    const calledFrom = this.#calledFrom.get(runId);
    if (open && !this.isSuperseded(runId)) open.graph.tasks.delete(open.key);
    // Most runs are plumbing, and in none of these.
    if (task) this.#tasks.delete(runId);
    if (root) this.#roots.delete(runId);
    if (graph) this.#graphs.delete(runId);
    if (calledFrom) this.#calledFrom.delete(runId);
    calledFrom?.leave();
    this.#places.delete(runId);
    if (place) this.#idsOf.get(place.run)?.delete(runId);
    return left;
  }

  /**
   * Forgets what is left of a whole run: LangGraph does not tell the end of every part, above all not after a failure.
   * @param cutShort whether what is left is to be stopped; work that a completed run leaves behind on purpose is not
   */
  leaveAll(run: GraphRun, cutShort: boolean): void {
    for (const runId of this.#idsOf.get(run) ?? []) {
      this.leave(runId);
      if (cutShort) this.#ended.add(runId);
    }
    this.#idsOf.delete(run);
    for (const runId of this.#ended) {
      if (this.#ended.size <= MAX_ENDED) break;
      this.#ended.delete(runId);
    }
  }
}
