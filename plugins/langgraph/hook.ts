import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { isGraphInterrupt, isParentCommand } from '@langchain/langgraph';
import { AuditHalt, type Outcome, type Runtime, type ToolSpec } from '../../core/index.js';
import { GraphRun, isResume } from './graph-run.js';
import type { OpenGraph, Place, Root, RunTree } from './run-tree.js';
import { Task, taskInfo } from './task.js';

/**
 * Watches a graph through LangChain's callbacks, the one hook that also sees agents called inside functions and tools.
 *
 * A node's output is read when it ends; the verdict is awaited when something would follow: the next node, or the end.
 * There the step that raised the alarm is saved, nothing of the next one has run, and LangGraph can resume.
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
    const outer = parentRunId === undefined ? undefined : this.#tree.places.get(parentRunId);
    const place = outer ?? this.#beginRoot(runId, inputs, metadata);
    const info = outer && taskInfo(runName, metadata, tags, place.task);
    if (!info || parentRunId === undefined) {
      this.#tree.places.set(runId, place);
      return;
    }
    const graph = this.#tree.graphs.get(parentRunId) ?? this.#beginGraph(parentRunId, place, inputs);
    const task = new Task(info, graph.path, place.task);
    this.#tree.places.set(runId, { run: place.run, task });
    this.#tree.tasks.set(runId, task);
    try {
      await place.run.pass(task.path);
    } catch (halt) {
      this.#tree.leave(runId); // LangChain tells no end of a run whose start was refused
      throw halt;
    }
  }

  override async handleChainEnd(output: unknown, runId: string): Promise<void> {
    const { place, task, root } = this.#tree.leave(runId);
    if (task) place?.run.nodeEnded(task, unboxed(output));
    if (!root) return;
    const halt = await this.#end(root, { status: root.run.interrupted ? 'interrupted' : 'completed' });
    if (halt) throw halt;
  }

  override async handleChainError(error: unknown, runId: string): Promise<void> {
    const { place, task, root } = this.#tree.leave(runId);
    if (place && isGraphInterrupt(error)) place.run.interrupted = true;
    // A handoff leaves its node, and the graph around it, as an error that carries a command.
    if (task && isParentCommand(error)) place?.run.nodeEnded(task, error.command);
    if (root) await this.#end(root, outcomeOf(error));
  }

  override handleToolStart(_tool: unknown, _input: string, runId: string, parentRunId?: string): void {
    const place = parentRunId === undefined ? undefined : this.#tree.places.get(parentRunId);
    if (place) this.#tree.places.set(runId, place);
  }

  override handleToolEnd(_output: unknown, runId: string): void {
    this.#tree.leave(runId);
  }

  override handleToolError(_error: unknown, runId: string): void {
    this.#tree.leave(runId);
  }

  #beginRoot(runId: string, input: unknown, metadata: Record<string, unknown> | undefined): Place {
    const thread = typeof metadata?.['thread_id'] === 'string' ? metadata['thread_id'] : undefined;
    // A checkpoint id means a rewind: the thread's later turns are no longer its past.
    const rewinds = metadata?.['checkpoint_id'] !== undefined;
    const continues =
      thread === undefined || rewinds || !isResume(input) ? undefined : this.#tree.unfinished.get(thread);
    const run = new GraphRun({ runId, input, tools: this.#tools, continues }, this.#runtime);
    this.#tree.roots.set(runId, { run, thread });
    return { run, task: undefined };
  }

  #beginGraph(graphRunId: string, { run, task }: Place, firstInput: unknown): OpenGraph {
    const graph = { path: task?.enterCall() ?? [], caller: task };
    this.#tree.graphs.set(graphRunId, graph);
    run.beginGraph(firstInput);
    return graph;
  }

  async #end({ run, thread }: Root, outcome: Outcome): Promise<Error | undefined> {
    const halt = await run.end(outcome);
    if (thread !== undefined) {
      if (halt || outcome.status !== 'completed') this.#tree.unfinished.set(thread, run.unfinished());
      else this.#tree.unfinished.delete(thread);
    }
    return halt;
  }
}

/** LangChain hands arrays and bare values to callbacks in a box. */
function unboxed(output: unknown): unknown {
  const boxed =
    typeof output === 'object' && output !== null && 'output' in output && Object.keys(output).length === 1;
  return boxed ? output.output : output;
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof AuditHalt) return { status: 'halted' };
  if (isGraphInterrupt(error)) return { status: 'interrupted' };
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  return name === 'AbortError' || message === 'Abort'
    ? { status: 'aborted' }
    : { status: 'failed', error: message };
}
