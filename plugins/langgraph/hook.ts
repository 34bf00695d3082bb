import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { isGraphInterrupt, isParentCommand } from '@langchain/langgraph';
import { AuditHalt, messageOf, type Outcome, type Runtime, type ToolSpec } from '../../core/index.js';
import { CallSite } from './call-site.js';
import { GraphRun, isResume } from './graph-run.js';
import type { OpenGraph, Place, Root, RunTree } from './run-tree.js';
import { callerOf, Task, taskInfo, taskKey } from './task.js';

type Metadata = Readonly<Record<string, unknown>> | undefined;

/**
 * Watches a graph through LangChain's callbacks, the one hook that also sees agents called inside functions and tools.
 *
 * A node's output is read when it ends; the verdict is awaited when something would follow: the next node, the code after
 * an inner graph, or the end. There the step that raised the alarm is saved, nothing of the next one has run, and
 * LangGraph can resume.
 */
export class AuditHook extends BaseCallbackHandler {
  readonly name = 'agentforesight';
  /** LangChain runs handlers in the background unless told otherwise, and then a throw stops nothing. */
  override awaitHandlers = true;
  override raiseError = true;
  override ignoreLLM = true;
  override ignoreRetriever = true;
  override ignoreCustomEvent = true;
  readonly #runtime: Runtime;
  readonly #tools: readonly ToolSpec[];
  readonly #tree: RunTree;

  /** @param tools those of the hooked graph @param tree shared by all hooks of a runtime */
  constructor(runtime: Runtime, tools: readonly ToolSpec[], tree: RunTree) {
    super();
    this.#runtime = runtime;
    this.#tools = tools;
    this.#tree = tree;
  }

  override async handleChainStart(
    _chain: unknown,
    inputs: unknown,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    _runType?: string,
    runName?: string,
  ): Promise<void> {
    if (this.#tree.places.has(runId)) return; // another hook of this runtime has it
    const task = this.#guarded(() => this.#begin(inputs, runId, parentRunId, tags, metadata, runName));
    if (!task) return;
    try {
      await this.#tree.places.get(runId)?.run.pass(task.site.path);
      task.startedAt = performance.now();
    } catch (halt) {
      this.#tree.leave(runId); // LangChain tells no end of a run whose start was refused
      throw halt;
    }
  }

  override async handleChainEnd(output: unknown, runId: string): Promise<void> {
    const { place, task, root, graph } = this.#tree.leave(runId);
    if (task) this.#guarded(() => place?.run.nodeEnded(task, unboxed(output)));
    if (graph && !root) await place?.run.pass(graph.path);
    if (!root) return;
    const halt = await this.#end(root, { status: root.run.interrupted ? 'interrupted' : 'completed' });
    if (halt) throw halt;
  }

  override async handleChainError(error: unknown, runId: string): Promise<void> {
    const { place, task, root } = this.#tree.leave(runId);
    this.#guarded(() => {
      if (!place || !task || !isObject(error)) return;
      if (isGraphInterrupt(error) && task.site.path.length === 1) place.run.interrupted = true;
      // A handoff leaves its node, and the graph around it, as an error that carries a command.
      if (isParentCommand(error)) place.run.nodeEnded(task, error.command);
    });
    if (!root) return;
    const outcome = outcomeOf(error);
    const halt = await this.#end(root, outcome);
    // A host that wrapped the halt in an error of its own still gets the halt; an abort is the caller's own doing.
    if (halt && outcome.status === 'failed') throw Object.assign(halt, { cause: error });
  }

  /** A tool that would start after the halt, retried by middleware or in another branch, does not. */
  override handleToolStart(_tool: unknown, _input: string, runId: string, parentRunId?: string): void {
    const place = parentRunId === undefined ? undefined : this.#tree.places.get(parentRunId);
    if (!place || this.#tree.places.has(runId)) return;
    place.run.checkLatch();
    const site = place.site && new CallSite(place.site.enter(), place.run.callCounts);
    if (place.site) this.#tree.calledFrom.set(runId, place.site);
    this.#tree.places.set(runId, { ...place, site });
  }

  override handleToolEnd(_output: unknown, runId: string): void {
    this.#tree.leave(runId);
  }

  override handleToolError(_error: unknown, runId: string): void {
    this.#tree.leave(runId);
  }

  /** Takes note of a chain run. @returns its task, if it is a node's */
  #begin(
    inputs: unknown,
    runId: string,
    parentRunId: string | undefined,
    tags: readonly string[] | undefined,
    metadata: Metadata,
    runName: string | undefined,
  ): Task | undefined {
    const outer = parentRunId === undefined ? undefined : this.#tree.places.get(parentRunId);
    const place = outer ?? this.#beginRoot(runId, inputs, metadata);
    this.#tree.places.set(runId, place);
    const info = outer && taskInfo(runName, metadata, tags, outer.task);
    if (!info || parentRunId === undefined) return undefined;
    const graph = this.#tree.graphs.get(parentRunId) ?? this.#beginGraph(parentRunId, outer, inputs);
    const caller = graph.tasks.get(callerOf(info) ?? '');
    const parentPath = caller ? this.#enter(runId, caller) : graph.path;
    const task = new Task(info, parentPath, caller ?? outer.task, inputs, place.run.callCounts);
    graph.tasks.set(taskKey(info.taskPath), task);
    this.#tree.places.set(runId, { run: place.run, task, site: task.site });
    this.#tree.tasks.set(runId, task);
    return task;
  }

  #beginRoot(runId: string, input: unknown, metadata: Metadata): Place {
    const thread = threadOf(metadata);
    // A checkpoint id means a rewind: the thread's later turns are no longer its past.
    const rewinds = metadata?.['checkpoint_id'] !== undefined;
    const earlier =
      thread === undefined || rewinds || !isResume(input) ? undefined : this.#tree.threads.get(thread);
    const run = new GraphRun({ runId, input, tools: this.#tools, earlier }, this.#runtime);
    this.#tree.roots.set(runId, { run, thread });
    return { run, task: undefined, site: undefined };
  }

  #beginGraph(graphRunId: string, { run, task, site }: Place, firstInput: unknown): OpenGraph {
    if (site) this.#tree.calledFrom.set(graphRunId, site);
    if (task) task.calledGraph = true;
    const graph = { path: site?.enter() ?? [], tasks: new Map<string, Task>() };
    this.#tree.graphs.set(graphRunId, graph);
    run.beginGraph(firstInput);
    return graph;
  }

  #enter(runId: string, caller: Task) {
    this.#tree.calledFrom.set(runId, caller.site);
    return caller.site.enter();
  }

  async #end({ run, thread }: Root, outcome: Outcome) {
    const halt = await run.end(outcome);
    if (thread !== undefined) {
      this.#tree.threads.set(thread, run.asEarlier(!halt && outcome.status === 'completed'));
    }
    return halt;
  }

  /** Our own faults are reported; only the halt is the host's business. */
  #guarded<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof AuditHalt) throw cause;
      this.#runtime.diagnostics.report({ code: 'langgraph-hook-fault', message: messageOf(cause), cause });
      return undefined;
    }
  }
}

/** A graph that is hooked by itself inside an unhooked one shares the thread with its siblings, not the namespace. */
function threadOf(metadata: Metadata): string | undefined {
  const thread = metadata?.['thread_id'];
  const namespace = metadata?.['langgraph_checkpoint_ns'];
  return typeof thread === 'string' ? JSON.stringify([thread, namespace ?? '']) : undefined;
}

/** LangChain hands arrays and bare values to callbacks in a box; an update whose only key is `output` looks alike if it is one. */
function unboxed(output: unknown): unknown {
  const alone = isObject(output) && 'output' in output && Object.keys(output).length === 1;
  return alone && (!isObject(output.output) || Array.isArray(output.output)) ? output.output : output;
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof AuditHalt) return { status: 'halted' };
  if (isObject(error) && isGraphInterrupt(error)) return { status: 'interrupted' };
  const message = messageOf(error);
  const aborted = message === 'Abort' || (error instanceof Error && error.name === 'AbortError');
  return aborted ? { status: 'aborted' } : { status: 'failed', error: message };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
