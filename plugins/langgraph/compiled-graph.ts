import type { RunnableConfig } from '@langchain/core/runnables';
import type { BaseCheckpointSaver, StateSnapshot } from '@langchain/langgraph';

/** What an invocation may be configured with, as far as this plugin reads it. */
export interface InvokeOptions extends RunnableConfig {
  readonly configurable?: Record<string, unknown>;
}

/** What this plugin uses of a compiled graph (a `Pregel`), whose own type has a parameter for every part of its state. */
export interface CompiledGraph {
  readonly config?: InvokeOptions;
  /** One that is written to by a reducer has it as `operator`, or as `reducer`. */
  readonly channels: Readonly<Record<string, { readonly operator?: unknown; readonly reducer?: unknown }>>;
  /** `true` and `false` say how a sub-graph shares its parent's. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  /** Every way to run a graph, invoked, streamed or as events, comes through here. */
  _streamIterator(input: unknown, options?: InvokeOptions): AsyncGenerator<unknown>;
  withConfig(config: unknown): CompiledGraph;
  getState(config: RunnableConfig): Promise<StateSnapshot>;
  getStateHistory(config: RunnableConfig): AsyncIterableIterator<StateSnapshot>;
  /** The graph at that place, such as `team|inner`, if it is a sub-graph that the outer one declares. */
  getSubgraphsAsync(namespace: string, recurse: boolean): AsyncIterable<unknown>;
  updateState(config: RunnableConfig, values: unknown, asNode?: string): Promise<RunnableConfig>;
  invoke(input: unknown, options?: InvokeOptions): Promise<unknown>;
}

/** The graph itself, or the one that an agent of `createAgent` is built around. */
export function compiledGraphOf(host: object): CompiledGraph {
  return ('nodes' in host ? host : (host as { graph: unknown }).graph) as CompiledGraph;
}
