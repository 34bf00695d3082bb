import type { TurnPath } from '../../core/index.js';
import type { CallSite } from './call-site.js';
import type { GraphRun } from './graph-run.js';
import type { Task } from './task.js';
import { ThreadRuns } from './thread-runs.js';

/** Where a chain or tool run stands: whose run it is, the node that it is part of, and the place that calls go out from. */
export interface Place {
  readonly run: GraphRun;
  readonly task: Task | undefined;
  readonly site: CallSite | undefined;
}

/** A graph at work inside a run: the root graph, or one that was called. */
export interface OpenGraph {
  readonly path: TurnPath;
  /** Tasks at work, by LangGraph's name for them. */
  readonly tasks: Map<string, Task>;
}

export interface Root {
  readonly run: GraphRun;
  /** Under what a checkpointer keeps it. */
  readonly thread: string | undefined;
}

/**
 * Everything that is running under one runtime, by LangChain's run ids. All hooks of the runtime share it, so that a
 * graph hooked by itself and called inside another hooked graph is told once.
 */
export class RunTree {
  readonly places = new Map<string, Place>();
  readonly roots = new Map<string, Root>();
  readonly tasks = new Map<string, Task>();
  readonly graphs = new Map<string, OpenGraph>();
  /** What to leave when a run ends: the place that it was called from. */
  readonly calledFrom = new Map<string, CallSite>();
  readonly threads = new ThreadRuns();

  /** Forgets a run that has ended. @returns what it was */
  leave(runId: string) {
    const left = {
      place: this.places.get(runId),
      root: this.roots.get(runId),
      task: this.tasks.get(runId),
      graph: this.graphs.get(runId),
    };
    this.calledFrom.get(runId)?.leave();
    for (const map of [this.places, this.roots, this.tasks, this.graphs, this.calledFrom]) map.delete(runId);
    return left;
  }
}
