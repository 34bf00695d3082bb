import type { TurnPath } from '../../core/index.js';
import type { GraphRun } from './graph-run.js';
import type { Task } from './task.js';
import { UnfinishedRuns } from './unfinished-runs.js';

/** Where a chain or tool run stands: whose run it is, and the node that it is part of. */
export interface Place {
  readonly run: GraphRun;
  readonly task: Task | undefined;
}

/** A graph at work inside a run: the root graph, or one that a task called. */
export interface OpenGraph {
  readonly path: TurnPath;
  readonly caller: Task | undefined;
}

export interface Root {
  readonly run: GraphRun;
  /** The `thread_id` under which a checkpointer keeps it. */
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
  readonly unfinished = new UnfinishedRuns();

  /** Forgets a run that has ended. @returns what it was */
  leave(runId: string): { place: Place | undefined; task: Task | undefined; root: Root | undefined } {
    const left = { place: this.places.get(runId), task: this.tasks.get(runId), root: this.roots.get(runId) };
    this.graphs.get(runId)?.caller?.leaveCall();
    for (const map of [this.places, this.roots, this.tasks, this.graphs]) map.delete(runId);
    return left;
  }
}
