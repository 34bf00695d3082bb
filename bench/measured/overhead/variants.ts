import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import * as callbackManager from '@langchain/core/callbacks/manager';
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createRuntime, everyTurn, type Redactor, type Runtime } from 'agentforesight';
import { withAuditor } from 'agentforesight/langgraph';
import type { Graph } from './graphs.js';

/** One way to run a graph. */
export interface Variant {
  hook(graph: Graph): Graph;
  /** Runs a block of runs, to the end of all that they leave in the background. */
  around(block: () => Promise<void>): Promise<void>;
}

export const bare = plain((graph) => graph);

/** What LangChain takes to call any handler that a run has to wait for, by the same events as ours. */
export const noopHandler = plain((graph) => graph.withConfig({ callbacks: [new NoopHandler()] }) as Graph);

export const audited = plain((graph) => withAuditor(graph, runtime()));

const keepsAll: Redactor = { redact: (value) => value };

export const unredacted = plain((graph) => withAuditor(graph, runtime(keepsAll)));

/** OpenInference's tracer, as its users switch it on, with an exporter that drops every span. */
export function tracer(): Variant {
  const exporter = {
    export: (_spans: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const { CallbackManager } = callbackManager;
  const untraced = CallbackManager._configureSync;
  // A copy, since a module's own namespace cannot be written to.
  new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument({ ...callbackManager });
  const traced = CallbackManager._configureSync;
  CallbackManager._configureSync = untraced;
  return {
    hook: (graph) => graph,
    around: async (block) => {
      CallbackManager._configureSync = traced;
      try {
        await block();
        await awaitAllCallbacks();
      } finally {
        CallbackManager._configureSync = untraced;
      }
    },
  };
}

class NoopHandler extends BaseCallbackHandler {
  readonly name = 'noop';
  override awaitHandlers = true;
  override raiseError = true;
  override ignoreLLM = true;
  override ignoreCustomEvent = true;
  override async handleChainStart(): Promise<void> {}
  override async handleChainEnd(): Promise<void> {}
  override async handleChainError(): Promise<void> {}
  override async handleToolStart(): Promise<void> {}
  override async handleToolEnd(): Promise<void> {}
  override async handleToolError(): Promise<void> {}
}

function plain(hook: Variant['hook']): Variant {
  return { hook, around: (block) => block() };
}

/** Asks at every turn an auditor that costs nothing itself; no run log, whose cost is the disk's. */
function runtime(redactor?: Redactor): Runtime {
  const auditor = { audit: async () => ({ kind: 'continue' as const }) };
  return createRuntime({ auditor, schedule: everyTurn(), ...(redactor && { redactor }) });
}
