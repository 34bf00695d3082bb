import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { isCommand, isGraphInterrupt, isParentCommand } from '@langchain/langgraph';
import type { Outcome, Runtime, ToolSpec } from '../../core/index.js';
import { AuditHalt, CallSite, messageOf, outcomeAfter } from '../../core/index.js';
import { endRun } from './end-run.js';
import { GraphRun } from './graph-run.js';
import { asMessage } from './messages.js';
import { runsModelOnly } from './model-node.js';
import type { OpenGraph, Place, Root, RunTree } from './run-tree.js';
import { Task, type TaskInfo, taskInfo } from './task.js';

type Metadata = Readonly<Record<string, unknown>> | undefined;

/** The place of a node's own run. */
type NodePlace = Place & { readonly task: Task };

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

  /** Most runs are plumbing, and most verdicts are there in time: those take no turn of the event loop. */
  override handleChainStart(
    chain: unknown,
    inputs: unknown,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    _runType?: string,
    runName?: string,
  ): Promise<void> | undefined {
    if (this.#tree.place(runId)) return undefined; // another hook of this runtime has it
    this.#refuseLate(parentRunId);
    const node = this.#guarded(() => this.#begin(inputs, runId, parentRunId, tags, metadata, runName));
    if (isGraph(chain)) this.#noteWork(parentRunId);
    if (!node) return undefined;
    try {
      const waits = this.#gate(node, metadata);
      return waits && this.#held(runId, node.task, waits);
    } catch (halt) {
      this.#tree.leave(runId); // LangChain tells no end of a run whose start was refused
      throw halt;
    }
  }

  async #held(runId: string, task: Task, waits: Promise<void>): Promise<void> {
    try {
      await waits;
      if (this.#tree.isSuperseded(runId)) throw new DOMException('a later attempt has begun', 'AbortError');
      task.startedAt = performance.now();
    } catch (halt) {
      this.#tree.leave(runId);
      throw halt;
    }
  }

  override handleChainEnd(output: unknown, runId: string): Promise<void> | undefined {
    const { place, task, root, graph } = this.#tree.leave(runId);
    if (task) {
      place?.run.gate.taskEnded(task);
      this.#guarded(() => place?.run.nodeEnded(task, unboxed(output, task.info)));
    }
    if (graph) place?.task?.innerResults.push(output);
    return root ? this.#endRoot(root) : this.#passCode(place, task, graph);
  }

  async #endRoot(root: Root): Promise<void> {
    const halt = await endRun(this.#tree, root, { status: root.run.waits ? 'interrupted' : 'completed' });
    if (halt) throw halt;
  }

  override async handleChainError(error: unknown, runId: string): Promise<void> {
    const { place, task, root, graph } = this.#tree.leave(runId);
    this.#guarded(() => {
      if (!place || !task || !isObject(error)) return;
      if (!isGraphInterrupt(error)) place.run.gate.taskEnded(task);
      else if (task.site.path.length === 1) place.run.interrupted = true;
      // A handoff leaves its node, and the graph around it, as an error that carries a command.
      if (isParentCommand(error)) place.run.nodeEnded(task, error.command);
    });
    const outcome = outcomeOf(error);
    if (root) {
      const halt = await endRun(this.#tree, root, outcome);
      // A host that wrapped the halt in an error of its own still gets the halt; an abort is the caller's own doing.
      if (halt && outcome.status === 'failed') throw Object.assign(halt, { cause: error });
    } else if (outcome.status === 'failed' && !(isObject(error) && isParentCommand(error))) {
      await this.#passCode(place, task, graph);
    }
  }

  /** A tool that would start after the halt, retried by middleware or in another branch, does not. */
  override async handleToolStart(
    _tool: unknown,
    _input: string,
    runId: string,
    parentRunId?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    _runName?: string,
    toolCallId?: string,
  ): Promise<void> {
    this.#refuseLate(parentRunId);
    const place = this.#tree.place(parentRunId);
    if (!place || this.#tree.place(runId)) return;
    try {
      await this.#gateTool(place);
    } catch (halt) {
      if (toolCallId !== undefined) place.run.toolEnded(toolCallId, halt);
      throw halt;
    }
    if (place.task) place.task.sawWork = true;
    const site = place.site && new CallSite(this.#tree.enter(runId, place.site), place.run.callCounts);
    this.#tree.add(runId, { ...place, site, toolCallId });
  }

  /** Retrievers may call graphs; their own work is nobody's turn. */
  override handleRetrieverStart(
    _retriever: unknown,
    _query: string,
    runId: string,
    parentRunId?: string,
  ): void {
    const place = this.#tree.place(parentRunId);
    if (place && !this.#tree.place(runId)) this.#tree.add(runId, place);
  }

  override handleRetrieverEnd(_documents: unknown, runId: string): void {
    this.#tree.leave(runId);
  }

  override handleRetrieverError(_error: unknown, runId: string): void {
    this.#tree.leave(runId);
  }

  override handleToolEnd(_output: unknown, runId: string): void {
    this.#toolEnded(runId);
  }

  override handleToolError(error: unknown, runId: string): void {
    this.#toolEnded(runId, error ?? new Error('the tool threw nothing'));
  }

  #toolEnded(runId: string, error?: unknown): void {
    const { place } = this.#tree.leave(runId);
    if (place?.toolCallId !== undefined) place.run.toolEnded(place.toolCallId, error);
  }

  /** Takes note of a chain run. @returns its place, if it is a node's */
  #begin(
    inputs: unknown,
    runId: string,
    parentRunId: string | undefined,
    tags: readonly string[] | undefined,
    metadata: Metadata,
    runName: string | undefined,
  ): NodePlace | undefined {
    const outer = this.#tree.place(parentRunId);
    const place = outer ?? this.#beginRoot(runId, inputs, metadata);
    const info = outer && taskInfo(runName, metadata, tags, outer.task);
    if (!info || parentRunId === undefined) {
      this.#tree.add(runId, { ...place, name: runName });
      return undefined;
    }
    const graph = this.#tree.graph(parentRunId) ?? this.#beginGraph(parentRunId, outer, inputs);
    const caller = info.caller === undefined ? undefined : graph.tasks.get(info.caller);
    const parentPath = caller ? this.#tree.enter(runId, caller.site) : graph.path;
    const task = new Task(info, parentPath, caller ?? outer.task, inputs, place.run.callCounts);
    this.#tree.addTask(runId, task, graph);
    const node = { run: place.run, task, site: task.site, name: runName };
    this.#tree.add(runId, node);
    return node;
  }

  #noteWork(parentRunId: string | undefined): void {
    const task = this.#tree.place(parentRunId)?.task;
    if (!task) return;
    task.sawWork = true;
    task.calledGraph = true; // also one that is taken up at its end, and has no node left to run
  }

  #beginRoot(runId: string, input: unknown, metadata: Metadata): Omit<Place, 'name'> {
    const invocation = this.#tree.invocation(runId);
    if (invocation) this.#tree.selfCheck.begins(metadata?.['langgraph_node']);
    const run = new GraphRun(
      { runId, input, tools: this.#tools, invocation, selfCheck: this.#tree.selfCheck },
      this.#runtime,
    );
    if (invocation) invocation.run = run;
    this.#tree.addRoot(runId, { run, thread: invocation?.thread, ended: invocation?.ended });
    return { run, task: undefined, site: undefined };
  }

  #beginGraph(graphRunId: string, { run, task, site, name }: Place, firstInput: unknown): OpenGraph {
    if (task) task.calledGraph = true;
    const path = site ? this.#tree.enter(graphRunId, site) : [];
    const graph = { path, tasks: new Map<string, Task>() };
    this.#tree.addGraph(graphRunId, graph);
    run.beginGraph(firstInput, path, name);
    return graph;
  }

  /** A node waits for the verdicts on all before it; under `overlap`, one that only calls a model does not. */
  #gate({ run, task }: NodePlace, metadata: Metadata): Promise<void> | undefined {
    run.gate.checkStanding(task);
    if (this.#runtime.gating !== 'overlap' || !runsModelOnly(task.info.node, metadata))
      return run.gate.pass(task.site.path);
    run.gate.checkLatch(task.site.path);
    return undefined;
  }

  /** A tool inside a node that has waited already needs not wait again; one that a model's node calls in its own code does. */
  #gateTool({ run, site, task }: Place): Promise<void> | undefined {
    const path = site?.path ?? task?.site.path ?? [];
    if (this.#runtime.gating === 'overlap') return run.gate.pass(path);
    run.gate.checkLatch(path);
    return undefined;
  }

  /**
   * The code that called a graph, or a task of the functional API, goes on when it ends. What follows a graph's node is
   * the graph's next node, which waits at its own start.
   */
  #passCode(
    place: Place | undefined,
    task: Task | undefined,
    graph: OpenGraph | undefined,
  ): Promise<void> | undefined {
    if (graph) return place?.run.gate.pass(graph.path);
    return task?.info.caller === undefined ? undefined : place?.run.gate.passTask(task.site.path);
  }

  /** @throws Error for what starts inside a run that is over, such as a node that LangGraph had held back */
  #refuseLate(parentRunId: string | undefined): void {
    if (this.#tree.hasEnded(parentRunId)) throw new DOMException('the run has ended', 'AbortError');
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

/** How LangChain describes a compiled graph: `id: ['langgraph', 'pregel', 'CompiledStateGraph']`. */
function isGraph(chain: unknown): boolean {
  return isObject(chain) && 'id' in chain && Array.isArray(chain.id) && chain.id.includes('pregel');
}

/**
 * LangChain hands arrays and bare values to callbacks in a box, `{ output }`. In the functional API that is what tasks
 * return; a graph's node returns lists of messages, or of commands and updates, and `{ output: "…" }` is its state.
 */
function unboxed(output: unknown, { functional }: TaskInfo): unknown {
  if (!isObject(output) || !('output' in output) || Object.keys(output).length !== 1) return output;
  const value = output.output;
  if (!Array.isArray(value)) return functional && !isObject(value) ? value : output;
  const isMessages = value.length > 0 && value.every((item) => isObject(item) && asMessage(item));
  return functional || isMessages || value.some((item) => isCommand(item)) ? value : output;
}

function outcomeOf(error: unknown): Outcome {
  if (isObject(error) && isGraphInterrupt(error)) return { status: 'interrupted' };
  return messageOf(error) === 'Abort' ? { status: 'aborted' } : outcomeAfter(error);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
